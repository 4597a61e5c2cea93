import { z } from 'zod'
import { alarmLimits } from './alarm-limits.ts'
import { eidOrPersonal, id, instant, page, paged, pageSize, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

export * from './sms-templates.ts'

/** Segments moved by one act. */
const count = z.int().min(1).max(alarmLimits.smsCountMax)

/** The acts of an operator on a stock. */
export const rechargeTypes = ['recharge', 'refund'] as const
export type RechargeType = (typeof rechargeTypes)[number]

/** The acts between an enterprise and a member. */
export const allocationActs = ['give', 'takeBack'] as const
export type AllocationAct = (typeof allocationActs)[number]

const stockNote = shortText(0, alarmLimits.smsNoteMax).default('')

/** Either a person or an enterprise is named: the field that is missing is wrong, or the one too many. */
function namesOneOwner({
  value: { eid, userId },
  issues,
}: z.core.ParsePayload<{ eid?: number | undefined; userId?: number | undefined }>): void {
  if ((eid === undefined) === (userId !== undefined)) return
  const path = [eid === undefined ? 'eid' : 'userId']
  issues.push({ code: 'custom', message: 'eid or userId', path, input: undefined })
}

/** Adds bought segments to a stock, or takes returned ones from it. */
export const changeStock = route({
  method: 'POST',
  path: '/api/operator/v1/sms-stock',
  who: 'operator',
  title: { cn: '短信充值与退款', en: 'Recharge or refund an SMS balance' },
  request: z
    .object({
      eid: eidOrPersonal,
      userId: id.optional(),
      type: z.enum(rechargeTypes),
      count,
      note: stockNote,
    })
    .check(namesOneOwner),
  answer: z.object({ remaining: z.int() }),
  errors: ['404', 'SMS_STOCK_SHORT', 'SMS_STOCK_FULL'],
})

const stockOwner = z.enum(['user', 'enterprise'])

const stockRow = z.object({
  owner: stockOwner,
  id: id,
  name: z.string(),
  account: z.string(),
  remaining: z.int(),
  allocated: z.int(),
  usedMonth: z.int(),
  rechargedAt: instant.nullable(),
})
export type StockRow = z.output<typeof stockRow>

export const listStocks = route({
  method: 'GET',
  path: '/api/operator/v1/sms-stock',
  who: 'operator',
  title: { cn: '短信余量列表', en: 'List SMS balances' },
  request: z.object({ ...paging, only: stockOwner.optional() }),
  answer: paged(stockRow),
  errors: [],
})

/** A change of a stock by people; messages sent are in the send record. */
const saleRow = z.object({
  type: z.enum(rechargeTypes),
  count: z.int(),
  remaining: z.int(),
  note: z.string(),
  createTime: instant,
})
export type SaleRow = z.output<typeof saleRow>

export const listStockSales = route({
  method: 'GET',
  path: '/api/operator/v1/sms-stock/sales',
  who: 'operator',
  title: { cn: '短信充值记录（后台）', en: 'List the recharges of one SMS balance' },
  request: z
    .object({ page, pageSize: pageSize(50, 200), eid: eidOrPersonal, userId: id.optional() })
    .check(namesOneOwner),
  answer: paged(saleRow.extend({ by: z.string() })),
  errors: ['404'],
})

/** Of the caller, or with `eid` of an enterprise they belong to. */
export const listSales = route({
  method: 'POST',
  path: '/api/v1/sms/sale-list',
  who: 'user',
  title: { cn: '短信充值记录', en: 'List your SMS recharges' },
  request: z.object({ eid: eidOrPersonal, page, pageSize: pageSize(10, 200) }),
  answer: paged(saleRow),
  errors: ['403'],
})

const memberStock = z.object({
  stock: z.int(),
  allocated: z.int(),
  used: z.int(),
  createTime: instant.nullable(),
  expireAt: instant.nullable(),
})
export type MemberStock = z.output<typeof memberStock>

export const getMemberStock = route({
  method: 'GET',
  path: '/api/msg/v1/ent/sms/user/stock',
  who: { ent: 'sms', eid: 'eid', self: 'userId' },
  title: { cn: '成员短信余量', en: 'Get a member’s SMS balance' },
  request: z.object({ eid: id, userId: id }),
  answer: memberStock,
  errors: ['404'],
})

const allocationRow = memberStock.extend({ userId: id, name: z.string(), accountMasked: z.string() })
export type AllocationRow = z.output<typeof allocationRow>

export const listMemberStocks = route({
  method: 'GET',
  path: '/api/msg/v1/ent/sms/user/stocks',
  who: { ent: 'sms', eid: 'eid' },
  title: { cn: '成员短信分配', en: 'List the SMS balances of the members' },
  request: z.object({ eid: id, page, pageSize: pageSize(20, 500), search: z.string().max(254).optional() }),
  answer: paged(allocationRow).extend({ stock: z.int() }),
  errors: [],
})

export const transferStock = route({
  method: 'PUT',
  path: '/api/msg/v1/ent/userMessage/transfer',
  who: { ent: 'sms', eid: 'eid' },
  title: { cn: '分配或收回短信', en: 'Allocate SMS to a member or reclaim them' },
  request: z.object({ eid: id, userId: id, count, direction: z.enum(allocationActs) }),
  answer: z.object({ stock: z.int(), userStock: z.int() }),
  errors: ['404', 'SMS_STOCK_SHORT', 'SMS_STOCK_FULL'],
})

/** All allocations of an enterprise for members who may allocate; others see their own. */
export const listAllocations = route({
  method: 'POST',
  path: '/api/msg/v1/ent/sms/log/allocation/page',
  who: { ent: 'member', eid: 'eid' },
  title: { cn: '短信分配记录', en: 'List the SMS allocations of an enterprise' },
  request: z.object({
    eid: id,
    page,
    pageSize: pageSize(10, 200),
    operate: z.enum(allocationActs).optional(),
    startTime: instant.optional(),
    endTime: instant.optional(),
    userId: id.optional(),
  }),
  answer: paged(
    z.object({
      operate: z.enum(allocationActs),
      userId: id.nullable(),
      name: z.string(),
      count: z.int(),
      remaining: z.int(),
      by: z.string(),
      createTime: instant,
    }),
  ),
  errors: [],
})

const report = z.object({
  biz_id: z.string().max(80),
  success: z.boolean(),
  err_code: z.string().max(80).nullish(),
})

/** The callback of an SMS service of Aliyun's shape: a list of reports. The token is that of SMS_RECEIPT_TOKEN. */
export const noteSmsReceipts = route({
  method: 'POST',
  path: '/api/v1/sms/receipts/:token',
  who: 'public',
  limits: ['smsReceipts'],
  title: { cn: '短信服务的送达回执', en: 'Receive delivery reports of an SMS service' },
  request: z.object({
    token: z.string().regex(/^[\w-]{24,64}$/),
    reports: z.array(report).max(alarmLimits.smsReportsMax),
  }),
  answer: z.object({ code: z.literal(0), msg: z.string() }),
  errors: ['403'],
  bare: true,
  listBody: 'reports',
  bodyBytesMax: limits.signedInBodyBytesMax,
})
