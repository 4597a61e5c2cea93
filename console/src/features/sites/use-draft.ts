import { ApiError, siteLimits, sites } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sitesKey } from '../../entities/site/site-queries.ts'
import { call } from '../../shared/api/client.ts'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { refusalText } from '../../shared/ui/use-act.ts'
import { changesOf, type Draft, type Place } from './draft.ts'
import { type Site, siteQuery } from './site-queries.ts'
import { useSitesText } from './sites-text.ts'

const empty: Draft = new Map()

/**
 * An editor's changes on the plans of a site, until they are saved. Where another person saved first, the newer site is
 * loaded under the draft, and the editor saves again.
 */
export function useDraft(site: Site) {
  const t = useSitesText()
  const client = useQueryClient()
  const [changes, setChanges] = useState<Draft>(empty)
  const change = (machineId: number, place: Place | null) =>
    setChanges((before) => new Map(before).set(machineId, place))
  const reload = () => client.invalidateQueries({ queryKey: sitesKey })

  const save = useMutation({
    mutationFn: async () => {
      let { revision } = site
      for (const part of changesOf(site, changes, siteLimits.machinesPerCall))
        ({ revision } = await call(sites.placeMachines, { id: site.id, ...part, revision }))
    },
    onSuccess: async () => {
      // The saved site comes before the draft goes: marks would jump back for a moment.
      await client.fetchQuery({ ...siteQuery(site.id), staleTime: 0 }).catch(() => undefined)
      setChanges(empty)
      showToast(t.edit.saved)
      void reload()
    },
    onError: async (error) => {
      const isChanged = error instanceof ApiError && error.code === 'SITE_CHANGED'
      if (isChanged) await reload()
      const by = isChanged ? (error.data as unknown as sites.ChangedSite | undefined)?.by : undefined
      const text = isChanged ? t.edit.merged(by ?? '') : refusalText(error, t.plan.failed)
      if (text) showToast(text, isChanged ? 'info' : 'failure')
    },
  })

  // A page that is left with unsaved changes asks first.
  const isDirty = changes.size > 0
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])

  return {
    changes,
    count: changes.size,
    place: (machineId: number, place: Place) => change(machineId, place),
    takeOff: (machineId: number) => change(machineId, null),
    discard: () => setChanges(empty),
    save: () => save.mutate(),
    isSaving: save.isPending,
    reload,
  }
}
