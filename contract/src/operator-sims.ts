import { z } from 'zod'
import { id, instant, machineCode, nothing, paged, shortText } from './fields.ts'
import { importCharactersMax, importLinesMax } from './machine-imports.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'
import { carrierKinds, simCycles, simLimits, simStates } from './sim-fields.ts'
import { cardFilters, listedCard } from './sims.ts'
import { tagLimits } from './tag-limits.ts'

const planId = id

/** Why a line of an import makes no card. */
export const cardRefusals = [
  'columns',
  'iccid',
  'twice',
  'known',
  'otherMachine',
  'machine',
  'plan',
  'expireAt',
] as const
export type CardRefusal = (typeof cardRefusals)[number]

export const importCards = route({
  method: 'POST',
  path: '/api/operator/v1/sims/import',
  who: 'operator',
  title: { cn: '导入物联网卡', en: 'Import SIM cards from a file' },
  request: z.object({
    csv: z
      .string()
      .max(importCharactersMax)
      .describe('A table of iccid, machineCode, plan, expireAt, with a heading or in this order'),
  }),
  answer: z.object({
    created: z.int(),
    refused: z.array(z.object({ line: z.int(), reason: z.enum(cardRefusals) })).max(importLinesMax),
  }),
  errors: ['12010302', 'TABLE_UNREADABLE', 'SIM_CARDS_FULL'],
  limits: ['imports'],
  load: 'file',
  bodyBytesMax: tagLimits.tagFileBytesMax,
})

const operatorCard = z.object({ ...listedCard.shape, id, failedAt: instant.nullable() })
export type OperatorCard = z.output<typeof operatorCard>

export const listAllCards = route({
  method: 'GET',
  path: '/api/operator/v1/sims',
  who: 'operator',
  load: 'search',
  title: { cn: '物联网卡管理', en: 'List all SIM cards' },
  request: z.object({
    ...cardFilters,
    only: z
      .enum(['unused', 'differs', 'failing'])
      .optional()
      .describe('unused: in no device; differs: the device reports another; failing: no figures'),
  }),
  answer: paged(operatorCard),
  errors: [],
})

const cardFields = {
  machineCode: z.union([machineCode, z.literal('')]).describe('Empty: in no device'),
  planId,
  expireAt: instant.nullable(),
}

export const updateCard = route({
  method: 'PUT',
  path: '/api/operator/v1/sims/:id',
  who: 'operator',
  title: { cn: '修改物联网卡', en: 'Edit a SIM card' },
  request: z.object({ id, ...cardFields }),
  answer: nothing,
  errors: ['404', 'SIM_MACHINE_UNKNOWN', 'SIM_PLAN_UNKNOWN'],
})

export const deleteCard = route({
  method: 'DELETE',
  path: '/api/operator/v1/sims/:id',
  who: 'operator',
  title: { cn: '删除物联网卡', en: 'Remove a SIM card' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

const planFields = {
  name: shortText(1, simLimits.planNameMax),
  carrier: shortText(1, simLimits.accountNameMax).describe('The name of the account at the carrier'),
  totalMb: z.int().min(1).max(simLimits.planMbMax).nullable(),
  cycle: z.enum(simCycles),
}

const planRow = z.object({ id, ...planFields, cards: z.int() })
export type PlanRow = z.output<typeof planRow>

export const listPlans = route({
  method: 'GET',
  path: '/api/operator/v1/sim-plans',
  who: 'operator',
  title: { cn: '套餐列表', en: 'List SIM plans' },
  request: z.object({ ...paging }),
  answer: paged(planRow),
  errors: [],
})

export const createPlan = route({
  method: 'POST',
  path: '/api/operator/v1/sim-plans',
  who: 'operator',
  title: { cn: '新建套餐', en: 'Add a SIM plan' },
  request: z.object(planFields),
  answer: z.object({ id }),
  errors: ['SIM_PLAN_TAKEN', 'SIM_PLANS_FULL', 'SIM_CARRIER_UNKNOWN'],
})

export const updatePlan = route({
  method: 'PUT',
  path: '/api/operator/v1/sim-plans/:id',
  who: 'operator',
  title: { cn: '修改套餐', en: 'Edit a SIM plan' },
  request: z.object({ id, ...planFields }),
  answer: nothing,
  errors: ['404', 'SIM_PLAN_TAKEN', 'SIM_CARRIER_UNKNOWN'],
})

export const deletePlan = route({
  method: 'DELETE',
  path: '/api/operator/v1/sim-plans/:id',
  who: 'operator',
  title: { cn: '删除套餐', en: 'Remove a SIM plan' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404', 'SIM_PLAN_USED'],
})

const carrierRow = z.object({
  name: z.string(),
  kind: z.enum(carrierKinds),
  cards: z.int(),
  states: z
    .array(z.object({ word: z.string(), state: z.enum(simStates) }))
    .describe('The meaning of the carrier’s words here'),
  succeededAt: instant.nullable().describe('When it answered last'),
  failedAt: instant.nullable().describe('When it failed last; null: not since it answered'),
  fault: z.string().describe('The reason of that'),
  oldestAsOf: instant.nullable().describe('The age of the oldest figure'),
  waiting: z.int().describe('Cards whose figures are due'),
})
export type CarrierRow = z.output<typeof carrierRow>

export const listCarriers = route({
  method: 'GET',
  path: '/api/operator/v1/sim-carriers',
  who: 'operator',
  title: { cn: '运营商账户', en: 'List the accounts at carriers' },
  request: nothing,
  answer: z.array(carrierRow),
  errors: [],
})
