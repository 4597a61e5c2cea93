import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { alarmsRoutes } from './alarms-routes.ts'
import { endAlarms } from './alarms-store.ts'

/** Alarms of machines. */
export function createAlarmsModule({ db, facts }: Kernel): Module {
  return {
    name: 'alarms',
    roles: ['api', 'edge'],
    routes: alarmsRoutes({ db, facts }),
    follows: [
      onNextOwner('alarms.ownerChanged', async (trx, { machineId, at }) =>
        facts.recordAll(trx, await endAlarms(trx, machineId, new Date(at))),
      ),
    ],
  }
}
