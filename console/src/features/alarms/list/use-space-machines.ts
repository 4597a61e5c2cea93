import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groupsQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { useAlarmMachines } from '../../../entities/machine/alarm-machines.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'

interface Group {
  readonly id: number
  readonly name: string
}

/** The machines of a space whose alarms the caller may see, and their groups, for the filters. */
export function useSpaceMachines({ asked: { eid } }: PageSpace): {
  readonly list: readonly Machine[]
  readonly groups: readonly Group[]
} {
  const list = useAlarmMachines(eid)
  const ofEnterprise = useQuery({ ...groupsQuery(eid ?? 0), enabled: eid !== undefined }).data
  return useMemo(() => {
    const ofList = new Map(list.flatMap(({ groups }) => groups.map((group) => [group.id, group])))
    const groups = ofEnterprise ? ofEnterprise.map(({ id, name }) => ({ id, name })) : [...ofList.values()]
    return { list, groups }
  }, [list, ofEnterprise])
}
