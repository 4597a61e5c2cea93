import { accounts as contract, timing } from '@busbar/contract'
import type { Bus } from '../../bus/bus.ts'
import { type Binding, bind } from '../../http/bind.ts'
import type { CodeDesk } from '../codes/index.ts'
import { confirmingAccount, deleteAccount } from './leaving-service.ts'
import { findLeaver, listHindrances } from './leaving-store.ts'

export interface LeavingDeps {
  readonly desk: CodeDesk
  readonly bus: Bus
}

/** Deleting one's account. */
export function leavingRoutes({ desk, bus }: LeavingDeps): Binding[] {
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
  ]
}
