import {
  ApiError,
  errorText,
  hasSpecialCharacters,
  type Lang,
  limits,
  machines,
  textWidth,
} from '@busbar/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { refreshList } from '../../../entities/machine/list-changes.ts'
import { machineListQuery } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import type { Text } from '../../../shared/i18n/index.ts'

/** The groups of one's list, empty ones too. */
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

/** What is wrong with the name of a group (decision 27); undefined where nothing is. */
export function findGroupNameProblem(name: string, words: Text['machineEdit']['groups']): string | undefined {
  const width = textWidth(name)
  if (width === 0) return words.nameEmpty
  if (width > limits.groupNameMax) return words.nameTooLong(width, limits.groupNameMax)
  return hasSpecialCharacters(name) ? words.nameSpecial : undefined
}

/** What a refused change of a group says. */
export function explainGroupFailure(
  error: unknown,
  words: Text['machineEdit']['groups'],
  lang: Lang,
): string {
  return (error instanceof ApiError && error.http === 200 && errorText(error.code, lang)) || words.failed
}
