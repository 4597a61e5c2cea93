import { z } from 'zod'
import { id, instant, nothing, paged } from './fields.ts'
import { machineRow } from './operator-machines.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { lockStates, shownStates } from './operator-people.ts'
import { route } from './route.ts'

const enterpriseRow = z.object({
  eid: id,
  name: z.string(),
  owner: z.string().describe('Its first owner; empty: none'),
  members: z.int(),
  machines: z.int(),
  enableProject: z.boolean(),
  state: z.enum(shownStates).describe('leaving: is to be deleted'),
  createdAt: instant,
})
export type EnterpriseRow = z.output<typeof enterpriseRow>

/** The columns that enterprises are sorted by. */
export const enterpriseOrders = ['name', 'createdAt'] as const

export const listEnterprises = route({
  method: 'GET',
  path: '/api/operator/v1/enterprises',
  who: 'operator',
  load: 'search',
  title: { cn: '企业列表', en: 'List enterprises' },
  request: z.object({ ...paging, ...sortedBy(enterpriseOrders) }),
  answer: paged(enterpriseRow),
  errors: [],
})

export const updateEnterprise = route({
  method: 'PUT',
  path: '/api/operator/v1/enterprises/:eid',
  who: 'operator',
  title: { cn: '设置企业功能、锁定企业', en: 'Set the functions of an enterprise or lock it' },
  request: z.object({
    eid: id,
    enableProject: z.boolean().optional(),
    state: z.enum(lockStates).optional(),
  }),
  answer: nothing,
  errors: ['404'],
})

const ofEnterprise = { eid: id, page: paging.page, pageSize: paging.pageSize }

/** Everything an operator reads of one enterprise beside its lists. */
export const getEnterprise = route({
  method: 'GET',
  path: '/api/operator/v1/enterprises/:eid',
  who: 'operator',
  title: { cn: '企业详情', en: 'Get an enterprise' },
  request: z.object({ eid: id }),
  answer: enterpriseRow.extend({
    ownerUserId: id.nullable(),
    timeZone: z.string().describe('An IANA zone'),
    platformName: z.string().describe('The platform name its members see; empty: the brand’s'),
    storage: z.object({ bytes: z.int(), bytesMax: z.int() }).describe('Bytes that are kept, and the most'),
    leavesAt: instant.nullable().describe('When the enterprise is erased; null: it stays'),
  }),
  errors: ['404'],
})

const memberRow = z.object({ userId: id, name: z.string(), role: z.string(), joinedAt: instant })
export type MemberRow = z.output<typeof memberRow>

/** Members of an enterprise, the first joined first. */
export const listEnterpriseMembers = route({
  method: 'GET',
  path: '/api/operator/v1/enterprises/:eid/members',
  who: 'operator',
  load: 'search',
  title: { cn: '企业的成员', en: 'List the members of an enterprise' },
  request: z.object(ofEnterprise),
  answer: paged(memberRow),
  errors: ['404'],
})

const enterpriseMachine = machineRow.extend({
  kind: z.string().describe('owned: its own; maintained: a customer’s that it looks after'),
})
export type EnterpriseMachine = z.output<typeof enterpriseMachine>

/** Devices of an enterprise, own ones and those of customers, the newest first. */
export const listEnterpriseMachines = route({
  method: 'GET',
  path: '/api/operator/v1/enterprises/:eid/machines',
  who: 'operator',
  load: 'search',
  title: { cn: '企业的设备', en: 'List the devices of an enterprise' },
  request: z.object(ofEnterprise),
  answer: paged(enterpriseMachine),
  errors: ['404'],
})
