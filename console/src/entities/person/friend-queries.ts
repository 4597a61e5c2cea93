import { accounts, limits } from '@busbar/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export type Friend = accounts.Friend

/** The key with which all queries of friends begin. */
export const friendsKey = ['friends'] as const

/** Short enough for a list that people read; further letters narrow it. */
export const friendsPerPicker = 20

/** All friends: people added by hand, and people with a machine in common. */
export const friendsQuery = queryOptions({
  queryKey: [...friendsKey, 'list'],
  queryFn: async ({ signal }) => {
    const friends: Friend[] = []
    for (let page = 1; ; page++) {
      const found = await call(accounts.listFriends, { page, pageSize: limits.friendsMax }, { signal })
      friends.push(...found)
      if (found.length < limits.friendsMax) return friends
    }
  },
})

/** Letters typed within this time form one search. */
const typingPauseMs = 200

/** The first of those a search finds. Always reloaded: a right that ended ends a friendship. */
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
