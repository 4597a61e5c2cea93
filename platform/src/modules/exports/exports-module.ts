import { queueJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { FilesModule } from '../files/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { exportsRoutes } from './exports-routes.ts'
import * as service from './exports-service.ts'
import { removeOld } from './exports-store.ts'

interface Deps {
  readonly access: AccessPort
  readonly files: FilesModule
  readonly telemetry: TelemetryModule
}

/**
 * Limit of one process; each person has one at a time. Each reads in slices, so that others get their turn between
 * them.
 */
const runningMax = 2
const keptMs = 7 * 86_400_000

/** Values as files. */
export function createExportsModule(kernel: Kernel, { access, files, telemetry }: Deps): Module {
  const { db, jobs, logger, now } = kernel
  const deps = { db, jobs, logger, now, access, files: files.files, telemetry: telemetry.store }
  return {
    name: 'exports',
    roles: ['api', 'jobs'],
    routes: exportsRoutes(deps),
    jobs: [
      queueJob({
        queue: service.exportsQueue,
        concurrency: runningMax,
        retryS: [5, 60],
        handle: (job, run) => service.perform(deps, job, run),
        cancelled: (trx, { exportId }) => service.giveUp(deps, trx, exportId, 'cancelled'),
        gaveUp: (trx, { exportId }) => service.giveUp(deps, trx, exportId, 'failed'),
        async adopt(trx) {
          await service.adopt(deps, trx)
          return []
        },
      }),
      { name: 'exports.removeOld', everyS: 3_600, run: () => removeOld(db, new Date(now() - keptMs)) },
    ],
  }
}
