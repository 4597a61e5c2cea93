import { machines as contract, enterprises } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { followLists } from '../../entities/machine/list-sync.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../entities/machine/machine-queries.ts'
import { push } from '../../shared/api/live.ts'
import { useLang } from '../../shared/i18n/index.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'

/** The machines of a space that may stand on plans, by id: those whose values the caller may see, kept up to date by the push. */
export function useSiteMachines({ asked: { eid } }: PageSpace): ReadonlyMap<number, Machine> | undefined {
  const lang = useLang()
  const client = useQueryClient()
  const isOwn = eid === undefined
  const { enterprise, maintenance } = enterprises.deviceTypes
  const own = useQuery({ ...machineListQuery(lang), enabled: isOwn }).data?.list
  const owned = useQuery({ ...enterpriseMachinesQuery(eid ?? 0, enterprise, lang), enabled: !isOwn }).data
    ?.list
  const maintained = useQuery({ ...enterpriseMachinesQuery(eid ?? 0, maintenance, lang), enabled: !isOwn })
    .data?.list

  useEffect(() => followLists(client, push), [client])

  return useMemo(() => {
    const lists = isOwn ? [own] : [owned, maintained]
    if (lists.includes(undefined)) return undefined
    const seen = lists
      .flatMap((list) => list ?? [])
      .filter(({ level }) => level > contract.limitAuthority.ordinary)
    return new Map(seen.map((machine) => [machine.id, machine]))
  }, [isOwn, own, owned, maintained])
}
