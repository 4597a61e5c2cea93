import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { gauge, queueLength } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import type { VisitChangesModule } from '../visit-changes/index.ts'
import type { VisitsModule } from '../visits/index.ts'
import { putBackRoute } from './put-back.ts'
import { visitReportRoutes } from './visit-report-routes.ts'
import { writesRoutes } from './writes-routes.ts'
import { WritesService } from './writes-service.ts'

/** Writes on behalf of others than a person at the console. */
export type Writes = Pick<WritesService, 'write'>

export interface WritesModule extends Module {
  readonly writes: Writes
}

interface Deps {
  readonly access: AccessPort
  readonly visits: VisitsModule
  readonly visitChanges: VisitChangesModule
  readonly telemetry: TelemetryModule
  readonly link: EdgeLink
}

/** Writing to machines. */
export function createWritesModule(kernel: Kernel, deps: Deps): WritesModule {
  const { db, pools, bus, facts, logger, node, now } = kernel
  const { visits } = deps.visits
  const service = new WritesService({
    db,
    bus,
    facts,
    logger,
    access: deps.access,
    control: visits.control,
    telemetry: deps.telemetry.store,
    link: deps.link,
    nodeId: node.id,
    now,
  })
  return {
    name: 'writes',
    roles: ['api', 'edge'],
    writes: service,
    routes: [
      ...writesRoutes({ db, service, findVisibleVisit: visits.findVisible }),
      ...visitReportRoutes({
        db: pools.history,
        listVisitsOfSpan: visits.listOfSpan,
        changes: deps.visitChanges.changes,
      }),
      putBackRoute({
        service,
        changes: deps.visitChanges.changes,
        findVisibleVisit: visits.findVisible,
      }),
    ],
    jobs: [{ name: 'writes.takeOver', everyS: 10, needsModule: true, run: () => service.takeOver() }],
    start: () => service.start(),
    stop: () => service.stop(),
    metrics() {
      const { open, unstored } = service.stats()
      return [
        queueLength('write_outcomes', unstored),
        gauge('busbar_writes_open', 'Set-points sent to machines and not answered yet', open),
      ]
    },
    figures: () => ({ queues: [{ name: 'writeOutcomes', length: service.stats().unstored }] }),
  }
}
