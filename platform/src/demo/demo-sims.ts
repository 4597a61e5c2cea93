import type { Lang } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { createCards, createPlan, listPlanIds } from '../modules/sims/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'

const plans = {
  small: { name: { cn: '每月 2 GB', en: '2 GB a month' }, totalMb: 2_000 },
  unlimited: { name: { cn: '不限量', en: 'Unlimited' }, totalMb: null },
} as const

/** By trade: the plan, and the last three characters of the ICCID, which tell the simulator the state. */
const cards: Readonly<Record<string, { readonly plan: keyof typeof plans; readonly end: string }>> = {
  'injection-press': { plan: 'small', end: '001' },
  'material-feeding': { plan: 'small', end: '002' },
  'machining-centre': { plan: 'unlimited', end: '003' },
  // Suspended, over its threshold.
  'screw-compressor': { plan: 'small', end: '293' },
}

const issuers: Readonly<Record<Lang, string>> = { cn: '8986032026112801', en: '8986032026112802' }
const yearMs = 365 * 86_400_000

/** SIM cards of machines of each demo account, which the simulated carrier answers for. */
export async function createDemoSims(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, machineIds, madeAt } = plant
  const at = new Date(madeAt)
  for (const { name, totalMb } of Object.values(plans))
    await createPlan(trx, { name: name[lang], carrier: 'simulator', totalMb, cycle: 'calendar' }, at)
  const planIds = await listPlanIds(trx)
  const made = Object.entries(cards).flatMap(([trade, { plan, end }]) => {
    const machineId = machineIds.get(trade)
    const planId = planIds.get(plans[plan].name[lang].toLowerCase())
    if (machineId === undefined || planId === undefined) return []
    return [{ iccid: `${issuers[lang]}${end}`, machineId, planId, expireAt: madeAt + yearMs }]
  })
  await createCards(trx, made, at)
}
