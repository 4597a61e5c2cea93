import { accounts } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export type Friend = accounts.Friend

/** The people one knows: those one added, and those one shares machines with. */
export const friendsQuery = queryOptions({
  queryKey: ['friends'],
  queryFn: ({ signal }) => call(accounts.listFriends, {}, { signal }),
})
