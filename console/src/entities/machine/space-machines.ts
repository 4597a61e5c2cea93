import { machines as contract } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import type { Machine } from './machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from './machine-queries.ts'

/** The machines of a space whose values the caller may see. */
export function useSpaceMachines(space: PageSpace): readonly Machine[] | undefined {
  const lang = useLang()
  const { eid } = space.asked
  const isOwn = eid === undefined
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const ofEnterprise = useQuery({
    ...enterpriseMachinesQuery(eid ?? 0, 1, lang),
    enabled: !isOwn,
    refetchInterval: false,
  }).data?.list
  const list = isOwn ? own : ofEnterprise
  return useMemo(() => list?.filter(({ level }) => level > contract.limitAuthority.ordinary), [list])
}
