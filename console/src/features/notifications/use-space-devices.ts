import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AlarmSpace } from '../../entities/alarm/alarm-space.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../entities/machine/machine-queries.ts'
import { useLang } from '../../shared/i18n/index.ts'

const none: readonly Machine[] = []

/** The machines of a space whose alarms somebody can be told of: one holds a key of them, or the enterprise owns them. */
export function useSpaceDevices({ asked: { eid } }: AlarmSpace): readonly Machine[] {
  const lang = useLang()
  const own = useQuery({ ...machineListQuery(lang), enabled: eid === undefined }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: eid !== undefined,
    refetchInterval: false,
  }).data?.list
  const all = (eid === undefined ? own : ofEnterprise) ?? none
  return useMemo(
    () => (eid === undefined ? all.filter(({ level }) => level > machines.limitAuthority.ordinary) : all),
    [eid, all],
  )
}
