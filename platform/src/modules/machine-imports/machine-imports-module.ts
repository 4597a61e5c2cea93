import { operator } from '@busbar/contract'
import { queueJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { machineImportsRoutes } from './machine-imports-routes.ts'
import * as service from './machine-imports-service.ts'
import { removeOld } from './machine-imports-store.ts'

/** Files of machines that operators register. */
export function createMachineImportsModule(kernel: Kernel): Module {
  const { config, db, jobs, secrets, now } = kernel
  const { OPERATOR_SECOND_FACTOR: factor, SELF_REGISTERED_CODES: selfRegistered } = config
  const deps = { db, jobs, secrets, factor, selfRegistered, now }
  return {
    name: 'machineImports',
    roles: ['api', 'jobs'],
    routes: machineImportsRoutes(deps),
    jobs: [
      queueJob({
        queue: service.importsQueue,
        concurrency: 1,
        retryS: [5, 60],
        handle: (job, run) => service.perform(deps, job, run),
        cancelled: (trx, { importId }) => service.giveUp(deps, trx, importId, 'stopped'),
        gaveUp: (trx, { importId }) => service.giveUp(deps, trx, importId, 'failed'),
        async adopt(trx) {
          await service.adopt(deps, trx)
          return []
        },
      }),
      {
        name: 'machineImports.removeOld',
        everyS: 3_600,
        run: () => removeOld(db, new Date(now() - operator.secretsHours * 3_600_000)),
      },
    ],
  }
}
