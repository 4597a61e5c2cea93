import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { sitesKey } from '../../entities/site/site-queries.ts'
import { push } from '../../shared/api/live.ts'

/** A change of an open site in another window or by another person. */
export interface SiteChange {
  readonly revision: number
  readonly deleted: boolean
  /** Empty where their account is gone. */
  readonly by: string
}

/** Keeps an open site up to date; `onChange` is called for revisions newer than the displayed one. */
export function useSiteSync(id: number, revision: number, onChange: (change: SiteChange) => void): void {
  const client = useQueryClient()
  const heard = useEffectEvent((change: SiteChange) => {
    if (!change.deleted && change.revision <= revision) return
    void client.invalidateQueries({ queryKey: sitesKey })
    onChange(change)
  })
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: sitesKey })
    const leaves = [
      push.on('siteChange', ({ siteId, ...change }) => siteId === id && heard(change)),
      push.on('spaces', again),
      push.on('missed', again),
    ]
    return () => {
      for (const leave of leaves) leave()
    }
  }, [client, id])
}
