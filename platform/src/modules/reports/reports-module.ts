import { withTransaction } from '../../kernel/database/database.ts'
import { JobRefused, queueJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import { type BrandsModule, brandOrigin, linkSource } from '../brands/index.ts'
import type { FilesModule } from '../files/index.ts'
import type { MessagesModule } from '../messages/index.ts'
import { createReportRequests } from '../notifications/index.ts'
import type { OpenAttachment, OutgoingModule } from '../outgoing/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { reportsRoutes } from './reports-routes.ts'
import { openAttachment, queueDue, type ReportsDeps, reportsQueue } from './reports-service.ts'
import { refusalOf, runReport } from './run-report.ts'
import { failRun, listStrayRuns } from './runs-store.ts'

interface Deps {
  readonly access: AccessPort
  readonly brands: BrandsModule
  readonly files: FilesModule
  readonly messages: MessagesModule
  readonly outgoing: OutgoingModule
  readonly telemetry: TelemetryModule
}

export interface ReportsModule extends Module {
  /** Opens the files of this module's mails. */
  readonly openAttachment: OpenAttachment
}

/** A scheduled time is found within this. */
const dueEveryS = 15
const retryS = [30, 120, 600] as const

/** Scheduled reports. */
export function createReportsModule(
  kernel: Kernel,
  { access, brands, files, messages, outgoing, telemetry }: Deps,
): ReportsModule {
  const { db, jobs, now, logger } = kernel
  const source = linkSource(kernel, brands.directory)
  const deps: ReportsDeps = {
    ...{ db, access, jobs, now },
    files: files.files,
    outgoing: outgoing.outgoing,
    telemetry: telemetry.store,
    brandOf: (id) => brands.directory.get(id),
    originOf: (brand) => brandOrigin(source, brand),
    unsubscribeUrlOf: outgoing.unsubscribeUrlOf,
    requests: createReportRequests(kernel, { brands, messages, outgoing }),
  }
  return {
    name: 'reports',
    roles: ['api', 'jobs'],
    routes: reportsRoutes(deps),
    openAttachment: (key) => openAttachment(deps, key),
    jobs: [
      queueJob({
        queue: reportsQueue,
        concurrency: 1,
        retryS,
        async handle({ data: { runId } }, { signal, progress }) {
          try {
            await runReport(deps, runId, signal, progress)
          } catch (error) {
            const reason = refusalOf(error)
            if (!reason) throw error
            logger.info({ runId, reason }, 'report.refused')
            await withTransaction(db, (trx) => failRun(trx, runId, reason, new Date(now())))
            throw new JobRefused(reason)
          }
        },
        gaveUp: (trx, { runId }) => failRun(trx, runId, 'failed', new Date(now())),
        cancelled: (trx, { runId }) => failRun(trx, runId, 'failed', new Date(now())),
        adopt: async (trx) => (await listStrayRuns(trx, reportsQueue.name)).map((runId) => ({ runId })),
      }),
      { name: 'reports.due', everyS: dueEveryS, atOnce: true, run: (run) => queueDue(deps, run.now) },
    ],
  }
}
