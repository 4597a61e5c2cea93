import { type Lang, machines } from '@busbar/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { refreshList } from '../../../entities/machine/list-changes.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'

/** The groups of the personal list, including empty ones. */
export const userGroupsQuery = queryOptions({
  queryKey: ['machines', 'groups'],
  queryFn: ({ signal }) => call(machines.listUserGroups, {}, { signal, noNotice: true }),
})

export async function refreshGroups(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: userGroupsQuery.queryKey }), refreshList(client)])
}

/** The ids of the machines in a group, as the platform has them now. */
export async function listMembers(client: QueryClient, groupId: number, lang: Lang): Promise<number[]> {
  const { list } = await client.fetchQuery({ ...machineListQuery(lang), staleTime: 0 })
  return list
    .filter((machine) => machine.groups.some((group) => group.id === groupId))
    .map((machine) => machine.id)
}
