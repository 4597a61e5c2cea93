import { queueJob } from '../../kernel/jobs/index.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { ProjectStreamModule } from '../project-stream/index.ts'
import type { ProjectsModule, ReportingFigures } from '../projects/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { findDelivery, removeOldDeliveries } from './deliveries-store.ts'
import { destinationsRoutes } from './destinations-routes.ts'
import { createDestinationsService } from './destinations-service.ts'
import { findProjectOf, removeEndedSecrets } from './destinations-store.ts'
import { listFigures } from './destinations-views.ts'
import { followEvents } from './follow-events.ts'
import { replay, replayQueue } from './replay.ts'
import { endReplay } from './replays-store.ts'
import { Sender } from './sender.ts'
import { createOpenTransport } from './transports.ts'

interface Deps {
  readonly projects: ProjectsModule
  readonly projectStream: ProjectStreamModule
  readonly telemetry: TelemetryModule
}

export interface DestinationsModule extends Module {
  /** How the destinations of each of these projects are; left out where it has none. */
  listFigures(projectIds: readonly number[]): Promise<Map<number, ReportingFigures>>
}

const dayMs = 86_400_000
const keptDays = 30
const removedAtOnce = 5_000

/** Where projects send their rows (rules/projects.md: destinations). */
export function createDestinationsModule(
  kernel: Kernel,
  { projects, projectStream, telemetry }: Deps,
): DestinationsModule {
  const { db, bus, facts, secrets, logger, now, outgoingCalls, node, config, jobs } = kernel
  const { links, quota } = projects
  const { streams } = projectStream
  const service = createDestinationsService(kernel, { streams })
  const openTransport = createOpenTransport(outgoingCalls, secrets, db)
  const sender = new Sender({
    ...{ db, bus, streams, links, quota, facts, openTransport, logger, now },
    holder: node.incarnation,
  })
  const replayDeps = {
    ...{ db, streams, links, quota, openTransport, jobs, logger, now },
    telemetry: telemetry.store,
  }
  const sends = config.ROLES.includes('jobs')
  return {
    name: 'destinations',
    roles: ['api', 'jobs'],
    routes: destinationsRoutes({ ...replayDeps, streams, service }),
    projectOf: {
      destination: (id) => findProjectOf(db, id),
      delivery: async (id) => (await findDelivery(db, id))?.projectId,
    },
    follows: [followEvents({ streams, links })],
    jobs: [
      queueJob({
        queue: replayQueue,
        concurrency: 2,
        retryS: [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600],
        handle: (job, run) => replay(replayDeps, job, run),
        cancelled: (trx, { destinationId }) => endReplay(trx, destinationId, { isSent: false }),
        gaveUp: (trx, { destinationId }) => endReplay(trx, destinationId, { isSent: false }),
      }),
      {
        name: 'destinations.removeOld',
        everyS: 3_600,
        run: async (run) => {
          const before = new Date(run.now - keptDays * dayMs)
          await removeEndedSecrets(db, new Date(run.now))
          while (!run.signal.aborted && (await removeOldDeliveries(db, before, removedAtOnce)) > 0);
        },
      },
    ],
    listFigures: (projectIds) => listFigures(db, streams, projectIds, now()),
    start: () => {
      if (sends) sender.start()
    },
    stop: () => sender.stop(),
    metrics: () => [
      counter('busbar_destination_requests_total', 'Requests to the destinations of projects', [
        { labels: { outcome: 'ok' }, value: sender.sent.requests - sender.sent.failed },
        { labels: { outcome: 'failed' }, value: sender.sent.failed },
      ]),
      counter(
        'busbar_destination_rows_total',
        'Rows that destinations of projects accepted',
        sender.sent.rows,
      ),
      counter('busbar_destination_bytes_total', 'Bytes of requests to destinations', sender.sent.bytes),
      gauge('busbar_destination_lanes', 'Lanes of destinations that this process sends for', sender.lanes),
    ],
  }
}
