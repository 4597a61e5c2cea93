import { machines } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AlarmSpace } from '../../../entities/alarm/alarm-space.ts'
import { groupsQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'

const noMachines: readonly Machine[] = []

interface Group {
  readonly id: number
  readonly name: string
}

/** The machines of a space whose alarms one may see, and their groups, for the filters. */
export function useSpaceMachines({ asked: { eid } }: AlarmSpace): {
  readonly list: readonly Machine[]
  readonly groups: readonly Group[]
} {
  const lang = useLang()
  const isOwn = eid === undefined
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: !isOwn,
    refetchInterval: false,
  }).data?.list
  const enterpriseGroups = useQuery({ ...groupsQuery(eid ?? 0), enabled: !isOwn }).data
  const all = (isOwn ? own : ofEnterprise) ?? noMachines
  return useMemo(() => {
    // An ordinary user of a machine is told nothing of its alarms.
    const list = isOwn ? all.filter(({ level }) => level > machines.limitAuthority.ordinary) : all
    const ofList = new Map(list.flatMap(({ groups }) => groups.map((group) => [group.id, group])))
    const groups = enterpriseGroups
      ? enterpriseGroups.map(({ id, name }) => ({ id, name }))
      : [...ofList.values()]
    return { list, groups }
  }, [isOwn, all, enterpriseGroups])
}
