import { z } from 'zod'
import { eidOrPersonal, id, instant, machineCode, paged } from './fields.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'
import { iccidPattern, simCycles, simLimits, simStates, simStopReasons } from './sim-fields.ts'

const iccid = z
  .string()
  .trim()
  .toUpperCase()
  .regex(iccidPattern)
  .describe('Begins with 89: 19 characters, or 20 with the check digit')
const state = z.enum(simStates)
const planId = id
const dayText = z.string().describe('A day, 2026-11-30')

const plan = z.object({
  planId,
  name: z.string(),
  totalMb: z.number().nullable().describe('A month’s volume in MB; null: unlimited'),
  cycle: z.enum(simCycles),
})

const forecast = z.object({
  at: dayText.describe('The day on which the volume is used up at the present rate'),
  earliest: dayText,
  latest: dayText.nullable().describe('Null: at the lowest rate it lasts to the end of the month'),
})

const card = {
  iccid: z.string(),
  msisdn: z.string().describe('The number that the carrier gave it'),
  carrier: z.string().describe('The name of the account at the carrier'),
  status: z.int().min(1).max(10).describe('The number of its state'),
  state,
  statusText: z.string().describe('The carrier’s own word for the state'),
  stopReason: z.enum(simStopReasons).nullable().describe('Why the carrier stopped it, where it says so'),
  plan,
  usedMb: z.number().nullable().describe('Used in this month of the plan; null: not known yet'),
  leftMb: z.number().nullable().describe('Null: unlimited, or not known yet'),
  asOf: instant.nullable().describe('Until when the carrier counted; it can be 6 to 12 hours old'),
  activeAt: instant.nullable(),
  expireAt: instant.nullable().describe('When the plan ends; null: never'),
  forecast: forecast.nullable().describe('Null: it lasts, or too little is known'),
}

const askedFor = z
  .object({ iccid: iccid.optional(), machineCode: machineCode.optional() })
  .check(({ value, issues }) => {
    if ((value.iccid === undefined) !== (value.machineCode === undefined)) return
    const path = [value.iccid === undefined ? 'machineCode' : 'iccid']
    issues.push({ code: 'custom', message: 'iccid or machineCode', path, input: undefined })
  })

const simCard = z.object({
  ...card,
  machineId: id,
  cycleFrom: dayText.describe('The first day of this month of the plan'),
  cycleTo: dayText.describe('Its last day'),
  history: z.array(z.object({ month: z.string().describe('A month of the plan, 2026-11'), mb: z.number() })),
  days: z.array(z.object({ day: dayText, mb: z.number() })),
  toldIccid: z
    .string()
    .nullable()
    .describe('The card that the device itself reports, where it is another; null: it reports this or none'),
  hasWrongCheckDigit: z.boolean(),
  failedAt: instant
    .nullable()
    .describe('Since when the carrier gives no figures; the last good ones are shown'),
  cards: z.array(z.string()).describe('The ICCIDs of all cards of the device'),
})
export type SimCard = z.output<typeof simCard>

const getting = {
  path: '/api/iotcard/iotCard/getIotCard',
  who: 'user',
  request: askedFor,
  answer: simCard,
  errors: ['404'],
} as const

/** The card of a machine: the one that the machine reports, else the one whose plan ends last. */
export const getCard = route({
  method: 'GET',
  ...getting,
  title: { cn: '查询物联网卡', en: 'Get a SIM card' },
})

export const readCard = route({
  method: 'POST',
  ...getting,
  title: { cn: '查询物联网卡', en: 'Get a SIM card' },
})

export const listedCard = z.object({
  ...card,
  machineId: id.nullable(),
  machineCode: z.string().describe('Empty: it is in no device'),
  machineName: z.string(),
  toldIccid: z.string().nullable(),
})
export type ListedCard = z.output<typeof listedCard>

export const cardOrders = ['expireAt', 'usedMb', 'iccid', 'machineName', 'asOf'] as const

/** The filters of every list of cards. */
export const cardFilters = {
  ...paging,
  ...sortedBy(cardOrders),
  state: state.optional(),
  planId: planId.optional(),
  carrier: z.string().max(simLimits.accountNameMax).optional(),
  daysLeft: z
    .int()
    .min(0)
    .max(simLimits.daysLeftMax)
    .optional()
    .describe('Only cards whose plan ends within so many days'),
  usedPercent: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Only cards that used at least so much of the month’s volume'),
}

const sums = z.object({
  usedMb: z.number().describe('Of the cards whose plan has a limit'),
  totalMb: z.number().describe('The limits of these plans'),
  openMb: z.number().describe('Used by the cards whose plan has none'),
  byState: z.array(z.object({ state, count: z.int() })),
})

/** Cards of the machines of which the caller has a key, or of an enterprise's devices. */
export const listCards = route({
  method: 'GET',
  path: '/api/iotcard/v1/cards',
  who: 'user',
  load: 'search',
  title: { cn: '物联网卡列表', en: 'List SIM cards' },
  request: z.object({ eid: eidOrPersonal, ...cardFilters }),
  answer: paged(listedCard).extend({
    sums,
    plans: z.array(plan).describe('The plans of these cards'),
    carriers: z.array(z.string()),
  }),
  errors: ['403'],
})
