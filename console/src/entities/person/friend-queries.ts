import { accounts } from '@busbar/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export type Friend = accounts.Friend

/** Everything asked about friends begins with it. */
export const friendsKey = ['friends'] as const

export const friendsPerPage = 50
/** Short enough for a list that people read; further letters narrow it. */
export const friendsPerPicker = 20

/** The friends, page by page; a page that is not full is the last. */
export function friendsQuery(search: string, order: accounts.FriendOrder) {
  return infiniteQueryOptions({
    queryKey: [...friendsKey, 'list', search, order],
    queryFn: ({ pageParam: page, signal }) =>
      call(accounts.listFriends, { page, pageSize: friendsPerPage, search, order }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last: readonly Friend[], all) =>
      last.length < friendsPerPage ? undefined : all.length + 1,
    placeholderData: keepPreviousData,
  })
}

/** Letters typed within this time are one search. */
const typingPauseMs = 200

/** The first of those a search finds. Always asked anew: a right that ended ends a friendship. */
export function foundFriendsQuery(search: string) {
  return queryOptions({
    queryKey: [...friendsKey, 'found', search],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, typingPauseMs))
      signal.throwIfAborted()
      return call(accounts.listFriends, { pageSize: friendsPerPicker, search }, { signal, noNotice: true })
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}
