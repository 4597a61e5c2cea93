import { machines as contract, projects } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../../entities/machine/machine-queries.ts'
import type { Project } from '../../../entities/project/project.ts'
import { projectMachinesQuery } from '../../../entities/project/project-queries.ts'
import { useLang } from '../../../shared/i18n/index.ts'

/** The devices of a project’s space that the person may add to it, and that are not in it yet. */
export function useLinkableMachines({ id, eid, type }: Project): readonly Machine[] | undefined {
  const lang = useLang()
  const isOwn = eid === null || type === null
  // A device that an enterprise maintains has its keys elsewhere: the maintenance window decides.
  const { visitor, bkey } = contract.limitAuthority
  const levelMin = type === projects.projectTypes.maintenance ? visitor : bkey
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, type ?? 1, lang),
    enabled: !isOwn,
    refetchInterval: false,
  }).data?.list
  const { data: linked } = useQuery(projectMachinesQuery(id))
  const list = isOwn ? own : ofEnterprise
  return useMemo(() => {
    const known = new Set(linked?.map(({ machineId }) => machineId))
    return list?.filter(({ id: machineId, level }) => level >= levelMin && !known.has(machineId))
  }, [list, linked, levelMin])
}
