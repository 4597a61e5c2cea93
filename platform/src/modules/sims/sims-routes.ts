import { sims as contract, type InputOf, iccidKey, operator, simLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AccessPort } from '../access/index.ts'
import { auditAct } from '../audit/index.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import { clearMarks } from './card-marks.ts'
import { listCarriers } from './carrier-views.ts'
import type { CarrierAccount } from './carriers/open-carriers.ts'
import { importCards } from './import-cards.ts'
import * as plans from './plans-store.ts'
import * as store from './sims-store.ts'
import * as views from './sims-views.ts'

export interface SimsDeps extends Pick<Kernel, 'db' | 'pools' | 'facts'> {
  readonly access: AccessPort
  readonly guards: Pick<EnterpriseGuards, 'hasEnterpriseRight'>
  readonly accounts: readonly CarrierAccount[]
}

/** SIM cards of machines, and the operator's calls for cards, plans and accounts at carriers. */
export function simsRoutes({ db, pools, facts, access, guards, accounts }: SimsDeps): Binding[] {
  const { lists } = pools

  async function findCard(
    { iccid, machineCode }: InputOf<typeof contract.getCard>,
    userId: number,
    now: number,
  ) {
    const machineId =
      iccid === undefined
        ? await access.machineOfCode(machineCode ?? '')
        : await views.findMachineOf(db, iccidKey(iccid))
    if (machineId === undefined || machineId === null) throw new Failure('404')
    const [held] = await access.listAlarmMachines(userId, { machineId }, now)
    if (!held) throw new Failure('404')
    const cards = await views.listOfMachine(db, machineId)
    const card = iccid === undefined ? cards[0] : cards.find((one) => iccidKey(one.iccid) === iccidKey(iccid))
    if (!card) throw new Failure('404')
    return views.showCard(db, cards, card, held.ownedSince, now)
  }

  const checkCarrier = (name: string) => {
    if (!accounts.some((account) => account.name === name)) throw new Failure('SIM_CARRIER_UNKNOWN')
  }

  return [
    bind(contract.getCard, (input, { user, now }) => findCard(input, user.userId, now)),
    bind(contract.readCard, (input, { user, now }) => findCard(input, user.userId, now)),

    bind(contract.listCards, async ({ eid, ...filter }, { user: { userId }, now }) => {
      if (eid !== undefined && !(await guards.hasEnterpriseRight(userId, eid, 'member')))
        throw new Failure('403')
      const machines = await access.listAlarmMachines(userId, { eid }, now)
      const machineIds = machines.map(({ machineId }) => machineId)
      const found = await views.listCards(lists, { machineIds, userId, eid }, filter, now)
      return {
        ...found,
        list: found.list.map(({ id: _, failedAt: __, ...card }) => card),
        ...(await views.listChoices(lists, machineIds)),
      }
    }),

    bind(operator.importCards, ({ csv }, context) => importCards(db, context, csv)),

    bind(operator.listAllCards, async (filter, { now }) => {
      const { sums: _, ...found } = await views.listCards(lists, undefined, filter, now)
      return found
    }),

    bind(operator.updateCard, async ({ id, machineCode, planId, expireAt }, context) => {
      await withTransaction(db, async (trx) => {
        const [card] = await store.lockCards(trx, [id])
        if (!card) throw new Failure('404')
        const machineId =
          machineCode === '' ? null : (await store.listMachinesOf(trx, [machineCode])).get(machineCode)
        if (machineId === undefined) throw new Failure('SIM_MACHINE_UNKNOWN')
        if (!(await plans.hasPlan(trx, planId))) throw new Failure('SIM_PLAN_UNKNOWN')
        if (machineId !== card.machineId) await clearMarks(trx, facts, card, context.now)
        await store.updateCard(trx, id, { machineId, planId, expireAt }, new Date(context.now))
        await auditAct(trx, context, {
          action: 'sim.update',
          target: card.iccid,
          detail: { machineCode, planId, expireAt },
        })
      })
      return {}
    }),

    bind(operator.deleteCard, async ({ id }, context) => {
      await withTransaction(db, async (trx) => {
        const [card] = await store.lockCards(trx, [id])
        if (!card) throw new Failure('404')
        await clearMarks(trx, facts, card, context.now)
        await store.deleteCard(trx, id)
        await auditAct(trx, context, { action: 'sim.remove', target: card.iccid, detail: {} })
      })
      return {}
    }),

    bind(operator.listPlans, async ({ page, pageSize, search }) => ({
      ...(await plans.listPlans(lists, { search, offset: (page - 1) * pageSize, count: pageSize })),
      page,
      pageSize,
    })),

    bind(operator.createPlan, async (plan, context) => {
      checkCarrier(plan.carrier)
      const id = await withTransaction(db, async (trx) => {
        if ((await plans.countPlans(trx)) >= simLimits.plansMax) throw new Failure('SIM_PLANS_FULL')
        const made = await plans.createPlan(trx, plan, new Date(context.now))
        if (made === undefined) throw new Failure('SIM_PLAN_TAKEN')
        await auditAct(trx, context, { action: 'simPlan.create', target: plan.name, detail: plan })
        return made
      })
      return { id }
    }),

    bind(operator.updatePlan, async ({ id, ...plan }, context) => {
      checkCarrier(plan.carrier)
      await withTransaction(db, async (trx) => {
        if (!(await plans.hasPlan(trx, id))) throw new Failure('404')
        if (!(await plans.updatePlan(trx, id, plan, new Date(context.now))))
          throw new Failure('SIM_PLAN_TAKEN')
        await auditAct(trx, context, { action: 'simPlan.update', target: plan.name, detail: plan })
      })
      return {}
    }),

    bind(operator.deletePlan, async ({ id }, context) => {
      await withTransaction(db, async (trx) => {
        if (!(await plans.hasPlan(trx, id))) throw new Failure('404')
        if (!(await plans.deletePlan(trx, id))) throw new Failure('SIM_PLAN_USED')
        await auditAct(trx, context, { action: 'simPlan.remove', target: String(id), detail: {} })
      })
      return {}
    }),

    bind(operator.listCarriers, (_, { now }) => listCarriers(lists, accounts, now)),
  ]
}
