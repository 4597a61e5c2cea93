import { enterprises as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import type { RightsDeps } from '../access/index.ts'
import { presentWindow } from './enterprises-views.ts'
import { answerMaintenance, endMaintenance, requestMaintenance } from './maintenance-service.ts'
import { listWindows } from './maintenance-store.ts'

/** Maintenance windows, from who asks and from who consents. */
export function maintenanceRoutes(deps: RightsDeps): Binding[] {
  const { db } = deps
  return [
    bind(contract.requestMaintenance, async (input, context) => {
      return { id: await requestMaintenance(deps, callerOf(context), input), state: 'waiting' as const }
    }),

    bind(contract.answerMaintenance, async ({ id, action }, context) => ({
      state: await answerMaintenance(deps, callerOf(context), id, action),
    })),

    bind(contract.endMaintenance, async (input, context) => ({
      state: await endMaintenance(deps, callerOf(context), input),
    })),

    bind(contract.listMaintenance, async (_, { user }) =>
      (await listWindows(db, user.userId, 'akey')).map((row) => presentWindow(row, 'akey')),
    ),

    bind(contract.listEnterpriseMaintenance, async ({ eid }, { user }) =>
      (await listWindows(db, user.userId, { eid })).map((row) => presentWindow(row, 'enterprise')),
    ),
  ]
}
