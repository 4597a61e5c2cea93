import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge, type Metric } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { ApplicationsModule } from '../access/applications/index.ts'
import type { AccessPort } from '../access/index.ts'
import type { Attendance } from './attendance.ts'
import { ownerFollower } from './control-owner.ts'
import type { EmbeddingPort } from './embedding.ts'
import type { VisitAddress } from './visit-address.ts'
import { createVisits, type Visits, type VisitsStats } from './visits.ts'

export interface VisitsModule extends Module {
  readonly visits: Visits
}

interface Deps {
  readonly access: AccessPort
  readonly applications: ApplicationsModule
  readonly link: EdgeLink
  readonly attendance: Attendance
  readonly embeddings: EmbeddingPort
  readonly address: VisitAddress
}

/** Live visits. */
export function createVisitsModule(kernel: Kernel, deps: Deps): VisitsModule {
  const { db, pools, bus, facts, logger, rights, now } = kernel
  const { decisions, history } = pools
  const { enterByTicket, findDenial } = deps.applications
  const visits = createVisits({
    db,
    history,
    decisions: { db: decisions, access: deps.access.on(decisions) },
    bus,
    facts,
    logger,
    access: deps.access,
    enterByTicket,
    findDenial,
    rights,
    link: deps.link,
    attendance: deps.attendance,
    embeddings: deps.embeddings,
    address: deps.address,
    now,
  })
  return {
    name: 'visits',
    roles: ['api', 'visits'],
    visits,
    routes: visits.routes,
    follows: [...visits.follows, ownerFollower],
    start: () => visits.start(),
    stop: () => visits.stop(),
    metrics: () => visitMetrics(visits.stats()),
    figures: () => ({ visits: visits.stats().visits }),
  }
}

function visitMetrics(visit: VisitsStats): Metric[] {
  return [
    gauge('busbar_visits', 'Live visits', [
      { labels: { mode: 'ro' }, value: visit.visits - visit.readWrite },
      { labels: { mode: 'rw' }, value: visit.readWrite },
    ]),
    gauge('busbar_visit_streams', 'Requests and WebSockets open in visits', visit.streams),
    counter('busbar_visit_streams_cut_total', 'Of them, those that were cut', visit.cutStreams),
    counter(
      'busbar_visits_ended_total',
      'Visits that ended, by reason',
      [...visit.ended].map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ]
}
