import type { DuringFollower } from '../../kernel/facts/follower.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { EnterprisesModule } from '../enterprises/index.ts'
import { smsStockRoutes } from './sms-stock-routes.ts'
import { returnAllocation, settleReservations } from './sms-stock-service.ts'

/** SMS that people and enterprises have bought, and their use. */
export function createSmsStockModule(
  { db, pools }: Kernel,
  { enterprises }: { readonly enterprises: EnterprisesModule },
): Module {
  return {
    name: 'sms-stock',
    roles: ['api', 'jobs'],
    routes: smsStockRoutes({ db, lists: pools.lists, guards: enterprises.guards }),
    follows: stockFollowers,
  }
}

/** The allocation of a member who leaves goes back to the enterprise. */
const memberGone: DuringFollower<'member.removed' | 'member.left'> = {
  mode: 'during',
  name: 'smsStock.memberGone',
  kinds: ['member.removed', 'member.left'],
  async follow(trx, facts) {
    for (const fact of facts) await returnAllocation(trx, fact)
  },
}

/** An accepted message uses its reserved segments, a message that is not sent gives them back. */
const settled: DuringFollower<'message.accepted' | 'message.refused'> = {
  mode: 'during',
  name: 'smsStock.settled',
  kinds: ['message.accepted', 'message.refused'],
  async follow(trx, facts) {
    for (const kind of ['message.accepted', 'message.refused'] as const) {
      const own = facts.filter((fact) => fact.kind === kind)
      const ids = own.map(({ notificationId }) => notificationId)
      const at = new Date(Math.max(...own.map((fact) => fact.at)))
      await settleReservations(trx, ids, kind === 'message.accepted' ? 'take' : 'giveBack', at)
    }
  },
}

export const stockFollowers = [memberGone, settled]
