import { z } from 'zod'
import { countryCode, typedAccount } from './account-fields.ts'
import { id, instant, nothing, page, pageSize, remark } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const friend = z.object({
  userid: id,
  name: z.string(),
  accountMasked: z.string(),
  remark: z.string(),
  sharedMachines: z.int().describe('Devices that both have a key of or visit'),
  since: instant,
  added: z.boolean().describe('False: here only because of a shared device'),
})
export type Friend = z.output<typeof friend>

/** Orders of a list of friends: added ones first, by name, newest first, most shared machines first. */
export const friendOrders = ['added', 'name', 'since', 'machines'] as const
export type FriendOrder = (typeof friendOrders)[number]

export const listFriends = route({
  method: 'POST',
  path: '/api/user/selectFriendsList',
  who: 'user',
  title: { cn: '好友列表', en: 'List friends' },
  request: z.object({
    page,
    pageSize: pageSize(500, limits.friendsMax),
    search: z
      .string()
      .max(limits.accountMax)
      .default('')
      .describe('A part of the name, the remark or the masked account'),
    order: z.enum(friendOrders).default('added'),
  }),
  answer: z.array(friend),
  errors: [],
})

export const addFriend = route({
  method: 'POST',
  path: '/api/user/v1/friends',
  who: 'user',
  limits: ['asks'],
  title: { cn: '添加好友', en: 'Add a friend' },
  request: z.object({
    account: typedAccount,
    countryCode,
    remark: remark.default(''),
  }),
  answer: z.object({ userid: id }),
  errors: ['01010304', 'FRIEND_SELF', 'FRIENDS_FULL'],
})

export const removeFriend = route({
  method: 'DELETE',
  path: '/api/user/v1/friends/:id',
  who: 'user',
  title: { cn: '删除好友', en: 'Remove a friend' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})
