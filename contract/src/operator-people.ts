import { z } from 'zod'
import { id, instant, nothing, paged } from './fields.ts'
import { heldMachine } from './operator-machines.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'

/** Of people and of enterprises. */
export const lockStates = ['active', 'locked'] as const
export const shownStates = [...lockStates, 'leaving'] as const

const userRow = z.object({
  userId: id,
  name: z.string(),
  phone: z.string().describe('With its country code; empty: none'),
  email: z.string(),
  state: z.enum(shownStates).describe('leaving: asked to be deleted'),
  isOperator: z.boolean(),
  machines: z.int().describe('Devices they own'),
  enterprises: z.int(),
  createdAt: instant,
  lastSeenAt: instant.nullable(),
})
export type UserRow = z.output<typeof userRow>

/** The columns that users are sorted by. */
export const userOrders = ['name', 'email', 'createdAt'] as const

export const listUsers = route({
  method: 'GET',
  path: '/api/operator/v1/users',
  who: 'operator',
  load: 'search',
  title: { cn: '用户列表', en: 'List users' },
  request: z.object({
    ...paging,
    ...sortedBy(userOrders),
    only: z.enum(['locked', 'operators']).optional(),
  }),
  answer: paged(userRow),
  errors: [],
})

export const updateUser = route({
  method: 'PUT',
  path: '/api/operator/v1/users/:id',
  who: 'operator',
  title: { cn: '锁定用户、设置平台管理员', en: 'Lock a user or make them an operator' },
  request: z.object({ id, state: z.enum(lockStates).optional(), isOperator: z.boolean().optional() }),
  answer: nothing,
  errors: ['404', '12010201', 'PROOF_NEEDED'],
})

const ofUser = { id, page: paging.page, pageSize: paging.pageSize }

/** An operator's view of one person beside their lists. */
export const getUser = route({
  method: 'GET',
  path: '/api/operator/v1/users/:id',
  who: 'operator',
  title: { cn: '用户详情', en: 'Get a user' },
  request: z.object({ id }),
  answer: userRow.extend({
    lang: z.string(),
    timeZone: z.string().nullable().describe('An IANA zone; null: that of their browser'),
    twoFactor: z.boolean(),
    loginExpiryDays: z.int(),
    storage: z.object({ bytes: z.int(), bytesMax: z.int() }).describe('Bytes that are kept, and the most'),
    leavesAt: instant.nullable().describe('When the account is erased; null: it stays'),
  }),
  errors: ['404'],
})

const sessionRow = z.object({
  id,
  terminal: z.string(),
  terminalType: z.int().describe('1 computer, 2 phone or tablet, 3 TV box, 4 program'),
  ip: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant.describe('When it ends without further use'),
})
export type SessionRow = z.output<typeof sessionRow>

/** The terminals where a person is signed in, the last used first. */
export const listUserSessions = route({
  method: 'GET',
  path: '/api/operator/v1/users/:id/sessions',
  who: 'operator',
  load: 'search',
  title: { cn: '用户的登录终端', en: 'List the sessions of a user' },
  request: z.object(ofUser),
  answer: paged(sessionRow),
  errors: ['404'],
})

/** Machines a person has or may enter, the newest first. */
export const listUserMachines = route({
  method: 'GET',
  path: '/api/operator/v1/users/:id/machines',
  who: 'operator',
  load: 'search',
  title: { cn: '用户的设备', en: 'List the devices of a user' },
  request: z.object(ofUser),
  answer: paged(heldMachine),
  errors: ['404'],
})

const membership = z.object({ eid: id, name: z.string(), role: z.string(), joinedAt: instant })
export type Membership = z.output<typeof membership>

/** Enterprises a person belongs to, the first joined first. */
export const listUserEnterprises = route({
  method: 'GET',
  path: '/api/operator/v1/users/:id/enterprises',
  who: 'operator',
  load: 'search',
  title: { cn: '用户所在的企业', en: 'List the enterprises of a user' },
  request: z.object(ofUser),
  answer: paged(membership),
  errors: ['404'],
})
