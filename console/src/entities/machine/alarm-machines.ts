import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import type { Machine } from './machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from './machine-queries.ts'

const noMachines: readonly Machine[] = []

/**
 * The machines of a space whose alarms the caller may see: the caller is a key of them, or the enterprise
 * `eid` owns them.
 */
export function useAlarmMachines(eid: number | undefined): readonly Machine[] {
  const lang = useLang()
  const isOwn = eid === undefined
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: !isOwn,
    refetchInterval: false,
  }).data?.list
  const all = (isOwn ? own : ofEnterprise) ?? noMachines
  // An ordinary user gets no alarms of a machine.
  return useMemo(
    () => (isOwn ? all.filter(({ level }) => level > machines.limitAuthority.ordinary) : all),
    [isOwn, all],
  )
}
