import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Enterprise, enterprisesQuery } from './account-queries.ts'
import type { PageSpaceSearch } from './page-space-search.ts'
import { getPreferences } from './preferences.ts'
import { rememberSpace, useSpace } from './space.ts'

/** The space whose data a page shows. */
export interface PageSpace {
  /** Undefined for the personal devices. */
  readonly enterprise: Enterprise | undefined
  /** The space as calls name it: empty for the personal devices. */
  readonly asked: { readonly eid?: number }
}

const personal: PageSpace = { enterprise: undefined, asked: {} }

/** The space of this page; undefined while the person's enterprises are not known yet. */
export function usePageSpace(): PageSpace | undefined {
  const { eid: inAddress } = useSearch({ strict: false }) as PageSpaceSearch
  const { isPending } = useQuery(enterprisesQuery)
  const enterprise = useSpace()
  const eid = enterprise?.eid ?? 0
  useEffect(() => {
    // Following a link into a space enters it.
    if (isPending || inAddress !== eid) return
    if ((getPreferences().eid ?? 0) !== eid) rememberSpace(eid, eid === 0 ? 0 : 1)
  }, [isPending, inAddress, eid])
  if (enterprise) return { enterprise, asked: { eid: enterprise.eid } }
  return isPending && inAddress !== 0 ? undefined : personal
}
