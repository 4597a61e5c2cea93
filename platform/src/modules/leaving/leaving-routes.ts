import { accounts as contract, enterprises, timing } from '@busbar/contract'
import { type Binding, bind } from '../../http/bind.ts'
import { confirmingAccount, deleteAccount } from './leaving-service.ts'
import { findLeaver, listHindrances } from './leaving-store.ts'
import { deleteSpace, keepSpace, type SpaceLeavingDeps } from './spaces-service.ts'
import { listLeaving } from './spaces-store.ts'

export type LeavingDeps = SpaceLeavingDeps

/** Deleting one's account, and an enterprise. */
export function leavingRoutes(deps: LeavingDeps): Binding[] {
  const { desk, bus } = deps
  return [
    bind(contract.getDeletion, async (_, { user, now }) => {
      const account = confirmingAccount(await findLeaver(desk.db, user.userId))
      return {
        until: now + timing.leavingMs,
        codeTo: 'email' in account ? ('email' as const) : ('phone' as const),
        hindrances: await listHindrances(desk.db, user.userId, new Date(now)),
      }
    }),

    bind(contract.deleteAccount, async ({ code }, context) => ({
      until: (await deleteAccount(desk, bus, code, context)).getTime(),
    })),

    bind(enterprises.deleteEnterprise, async (input, context) => ({
      until: (await deleteSpace(deps, input, context)).getTime(),
    })),

    bind(enterprises.listLeavingEnterprises, async (_, { user, now }) =>
      (await listLeaving(desk.db, user.userId, new Date(now))).map((row) => ({
        eid: row.id,
        name: row.name,
        until: row.leaves_at?.getTime() ?? 0,
      })),
    ),

    bind(enterprises.keepEnterprise, async ({ eid }, context) => {
      await keepSpace(deps, eid, context)
      return {}
    }),
  ]
}
