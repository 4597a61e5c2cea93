import type { visits as contract } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Follower } from '../../kernel/facts/follower.ts'
import type { Binding } from '../../kernel/http/bind.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { AccessPort } from '../access/index.ts'
import type { Attendance } from './attendance.ts'
import type { ControlPort } from './control-port.ts'
import { ControlWatch } from './control-watch.ts'
import { createControllerService } from './controller-service.ts'
import { listBusyMachines } from './controller-store.ts'
import { EmbeddedVisits } from './embedded-visits.ts'
import type { EmbeddingPort } from './embedding.ts'
import { followVisits } from './follow-facts.ts'
import { LiveVisit } from './live-visit.ts'
import { LiveVisits } from './live-visits.ts'
import { readPageVisit } from './page-visit.ts'
import type { VisitAddress } from './visit-address.ts'
import { VisitAsks } from './visit-asks.ts'
import { VisitCookies } from './visit-cookies.ts'
import { VisitEvents } from './visit-events.ts'
import type { PortVisits, VisitPort } from './visit-port.ts'
import { VisitTickets } from './visit-tickets.ts'
import { listFirstVisits } from './visits-list-store.ts'
import { createOpenVisit, type EnterByTicket, type OpenVisitCall, visitsRoutes } from './visits-routes.ts'
import { createVisitsService, entryOf, type VisitsServiceDeps } from './visits-service.ts'
import { VisitsSweep } from './visits-sweep.ts'
import { presentVisit } from './visits-views.ts'

/** The parts that visits use. */
export interface VisitsDeps {
  readonly db: Kysely<DB>
  /** Connections of reports. */
  readonly history: Kysely<DB>
  /** Database and access for decisions about visits and their cookies, with a separate pool. */
  readonly decisions: { readonly db: Kysely<DB>; readonly access: AccessPort }
  readonly bus: Bus
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  readonly logger: Logger
  readonly access: AccessPort
  readonly enterByTicket: EnterByTicket
  /** Finds how a person who was refused can get the right. */
  readonly findDenial: VisitsServiceDeps['findDenial']
  readonly rights: Pick<RightsWatch, 'subscribe' | 'isAwake' | 'stalls' | 'whenFresh' | 'catchUp'>
  readonly link: Pick<EdgeLink, 'tunnel' | 'onTunnelChange'>
  readonly attendance: Attendance
  readonly embeddings: EmbeddingPort
  readonly address: Pick<VisitAddress, 'offersVisits' | 'entryUrl' | 'parseHost' | 'portsUrl'>
  now(): number
}

/** A visit that a person may see: the visitor, and the keys of its machine. */
export interface VisibleVisit {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
}

/** Everything about visits, for the platform to put in its places. */
export interface Visits {
  readonly routes: Binding[]
  /** The followers of visits; to be registered before the start. */
  readonly follows: readonly Follower[]
  readonly visitPort: VisitPort
  readonly portVisits: PortVisits
  readonly embedded: Pick<EmbeddedVisits, 'createCode'>
  readonly control: ControlPort
  readonly openVisit: OpenVisitCall
  /** The visit, if it is the user's own or of a machine they hold a key of. */
  findVisible(userId: number, visitId: number, now: number): Promise<VisibleVisit | undefined>
  /**
   * The first `count` visits of a machine that overlap a span, the earliest first, for readers who may see all of them.
   */
  listOfSpan(
    machineId: number,
    span: { readonly from: Date; readonly to: Date },
    viewerId: number,
    count: number,
  ): Promise<contract.Visit[]>
  /** The machines among these whose controller is taken. */
  listBusy(machineIds: readonly number[], now: number): Promise<Set<number>>
  /** Ends visits that expired while no process ran, and follows rights and clocks from here on. */
  start(): Promise<void>
  /** Cuts open streams; the visits themselves go on and are found again after the next start. */
  stop(): Promise<void>
  /** Checks clocks, sessions and the changes of other processes; runs by itself every 5 s. */
  sweep(): Promise<void>
  stats(): VisitsStats
}

/** Live visits, and the numbers of ended and cut ones since the start. */
export interface VisitsStats {
  readonly visits: number
  /** The part of them with read-write access. */
  readonly readWrite: number
  readonly streams: number
  readonly cutStreams: number
  readonly ended: ReadonlyMap<string, number>
}

/** Puts the parts of visits together; nothing runs before `start`. */
export function createVisits(deps: VisitsDeps): Visits {
  const { db, logger, access, attendance, now } = deps
  const events = new VisitEvents({ db, logger, access, now, idleAtOf: (visit) => live.idleAtOf(visit) })
  const live = new LiveVisits({ ...deps, events })
  const watch = new ControlWatch({ db, logger, live, events })
  const sweep = new VisitsSweep({ db, logger, live, control: watch, events, attendance, now })
  const cookies = new VisitCookies({ db: deps.decisions.db, live, rights: deps.rights })
  const tickets = new VisitTickets({ db: deps.decisions.db, live, rights: deps.rights })
  const control = createControllerService({ ...deps, live, events })
  const asks = new VisitAsks(deps.bus)
  const service = createVisitsService({ ...deps, live, asks })
  const embedded = new EmbeddedVisits({ ...deps, cookies, service })
  const { enterByTicket } = deps
  return {
    routes: visitsRoutes({
      db,
      access,
      address: deps.address,
      link: deps.link,
      live,
      service,
      tickets,
      enterByTicket,
      control,
    }),
    follows: followVisits({ events, live }),
    visitPort: {
      async find(cookie, host, at) {
        const found = await cookies.find(cookie, host, at)
        if (found instanceof LiveVisit) found.markPage(at)
        return found
      },
      isKnown: (cookie) => cookies.isKnown(cookie),
      createCode: (visitId, host, state, at) => cookies.createCode(visitId, host, state, at),
      peekCode: (code, host, state, at) => cookies.peekCode(code, host, state, at),
      hasOtherVisits: (cookie, host) => cookies.hasOtherVisits(cookie, host),
      swapCode: (code, host, state, at) => cookies.swapCode(code, host, state, at),
      open: (caller, machineId, target, path) => service.open(entryOf(caller), machineId, target, path),
      findAsked: (caller, machineId, target) => service.findAsked(caller, machineId, target),
      findWayIn: (caller, machineId) => service.findWayIn(caller, machineId),
      findAskedPath: async (visitId) => (await asks.find(visitId))?.path ?? '/',
      markPath: (visitId, path, at) => asks.mark(visitId, path, at),
      takeMark: (visitId, path, at) => asks.takeMark(visitId, path, at),
      enterEmbedded: (code, host, from) => embedded.enter(code, host, from),
      leave: (visitId) => service.leave(visitId),
      describe: (visit, at) => readPageVisit({ db, access }, visit, at),
      async takeControl({ userId, visitId }, at) {
        await control.take({ userId, visitId, now: at })
      },
    },
    portVisits: tickets,
    embedded,
    control,
    openVisit: createOpenVisit({ db, address: deps.address, service, enterByTicket }),
    findVisible: (userId, visitId, at) => service.findVisible(userId, visitId, at),
    async listOfSpan(machineId, span, viewerId, count) {
      const rows = await listFirstVisits(deps.history, { machineId, ...span }, viewerId, count)
      return rows.map((row) => presentVisit(row, viewerId, live))
    },
    listBusy: (machineIds, at) => listBusyMachines(db, machineIds, at),
    start() {
      asks.start()
      live.start()
      return sweep.start()
    },
    async stop() {
      asks.stop()
      await sweep.stop()
      await live.stop()
      await events.stop()
    },
    sweep: () => sweep.run(),
    stats() {
      const visits = live.list()
      return {
        visits: visits.length,
        readWrite: visits.filter((visit) => visit.mode === 'rw').length,
        streams: visits.reduce((sum, visit) => sum + visit.streamCount, 0),
        cutStreams: live.cutStreams,
        ended: live.endedCounts,
      }
    },
  }
}
