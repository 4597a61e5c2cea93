import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { EnterprisesModule } from '../enterprises/index.ts'
import { openCarriers } from './carriers/open-carriers.ts'
import { refreshJob, removeDaysJob, watchJob } from './refresh-cards.ts'
import { simsRoutes } from './sims-routes.ts'
import { beginAnew } from './sims-store.ts'

interface Deps {
  readonly access: AccessPort
  readonly enterprises: EnterprisesModule
}

/** SIM cards of machines: plans, states, traffic and ends (rules/sims.md). */
export function createSimsModule(kernel: Kernel, { access, enterprises }: Deps): Module {
  const { db, pools, facts, logger, now } = kernel
  const accounts = openCarriers(kernel)
  return {
    name: 'sims',
    roles: ['api', 'jobs'],
    follows: [
      onNextOwner('sims.ownerChanged', (trx, { machineId }) => beginAnew(trx, machineId, new Date(now()))),
    ],
    routes: simsRoutes({ db, pools, facts, access, guards: enterprises.guards, accounts }),
    jobs: [
      refreshJob({ db, facts, logger, accounts, now }),
      watchJob({ db, facts, now }),
      removeDaysJob({ db, now }),
    ],
  }
}
