import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Enterprise, enterprisesQuery } from '../../shared/session/account-queries.ts'
import { getPreferences } from '../../shared/session/preferences.ts'
import { rememberSpace, useSpace } from '../../shared/session/space.ts'
import type { AlarmSpaceSearch } from './alarm-space-search.ts'

/** Whose alarms a page shows. */
export interface AlarmSpace {
  /** Undefined: one's own devices. */
  readonly enterprise: Enterprise | undefined
  /** As calls name the space: empty for one's own devices. */
  readonly asked: { readonly eid?: number }
}

const personal: AlarmSpace = { enterprise: undefined, asked: {} }

/** The space of this page of the alarm centre; undefined while the person's enterprises are not known yet. */
export function useAlarmSpace(): AlarmSpace | undefined {
  const { eid: inAddress } = useSearch({ strict: false }) as AlarmSpaceSearch
  const { isPending } = useQuery(enterprisesQuery)
  const enterprise = useSpace()
  const eid = enterprise?.eid ?? 0
  useEffect(() => {
    // Following a link into a space is entering it.
    if (isPending || inAddress !== eid) return
    if ((getPreferences().eid ?? 0) !== eid) rememberSpace(eid, eid === 0 ? 0 : 1)
  }, [isPending, inAddress, eid])
  if (enterprise) return { enterprise, asked: { eid: enterprise.eid } }
  return isPending && inAddress !== 0 ? undefined : personal
}
