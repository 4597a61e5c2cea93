import { type applications, type visits as contract, type ErrorCode, limits, timing } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { NewFact } from '../../kernel/facts/fact-kinds.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { RightsWatch } from '../../kernel/rights/rights-watch.ts'
import type { Access, AccessPort } from '../access/index.ts'
import { listNames } from '../machine-names/index.ts'
import {
  type ControllerRow,
  findController,
  lockController,
  putController,
  removeControlRequest,
} from './controller-store.ts'
import { LiveVisit } from './live-visit.ts'
import type { LiveVisits } from './live-visits.ts'
import { findTarget, listPorts, listTargets, mayLookAt, pingMachine } from './targets.ts'
import type { VisitAsks } from './visit-asks.ts'
import type { VisitCaller } from './visit-port.ts'
import type { PortReach } from './visit-ports.ts'
import * as store from './visits-store.ts'

export interface VisitsServiceDeps {
  readonly db: Kysely<DB>
  readonly access: AccessPort
  findDenial(
    userId: number,
    machineId: number,
    code: ErrorCode,
    now: number,
  ): Promise<applications.EntryDenial>
  readonly rights: Pick<RightsWatch, 'whenFresh'>
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly live: LiveVisits
  readonly facts: Pick<Facts, 'record' | 'recordAll'>
  readonly asks: VisitAsks
  now(): number
}

/** A person on their way in. */
export interface Entry {
  readonly userId: number
  readonly openedBy: store.OpenedBy
  readonly address: string
  readonly now: number
  /** False in a portal whose project may only look. */
  readonly mayControl: boolean
}

/** The thing that a person enters: a page, or ports by a right. */
interface Wanted extends Pick<store.NewVisit, 'machineId' | 'target' | 'reach'> {
  /** `needed`: nothing of it can be entered without the machine's controller; `wished`: taken where it is free. */
  readonly control: 'needed' | 'wished' | 'none'
}

/** As a session enters. */
export const entryOf = ({ userId, sessionId, address, now }: VisitCaller): Entry => ({
  ...{ userId, address, now },
  openedBy: { sessionId },
  mayControl: true,
})

export type VisitsService = ReturnType<typeof createVisitsService>

const isEnded = (known: ReturnType<LiveVisits['find']>): boolean =>
  known !== undefined && !(known instanceof LiveVisit)

/** Opening, prolonging and ending visits. */
export function createVisitsService(deps: VisitsServiceDeps) {
  const { db, access, rights, link, live, facts, asks } = deps

  /** The user's right to the machine; without one throws one of `auditErrors`. */
  async function findEntry(userId: number, machineId: number, now: number): Promise<Access> {
    const right = (await access.list(userId, [machineId], now)).get(machineId)
    if (right?.rights.has('visitor+')) return right
    throw new Failure(await access.denialReason(userId, machineId, now))
  }

  /**
   * Checks that the user may enter. The role that the request names is compared, never trusted. Throws one of
   * `auditErrors`, with the way to get the right.
   */
  async function check(
    userId: number,
    machineId: number,
    said: { level: number | undefined; grantId: number | undefined },
    now: number,
  ) {
    const right = (await access.list(userId, [machineId], now)).get(machineId)
    const isOther = said.level !== undefined && said.level !== (right?.level ?? 0)
    if (!right?.rights.has('visitor+')) {
      const why = await access.denialReason(userId, machineId, now)
      // A person whose right ended gets the reason; one who never had the named role gets WRONG_ROLE.
      throw await refuse(userId, machineId, why === 'GENERAL_USER' && isOther ? 'WRONG_ROLE' : why, now)
    }
    const isOtherGrant =
      said.grantId !== undefined && said.grantId !== (await store.findGrantId(db, userId, machineId))
    if (isOther || isOtherGrant) throw await refuse(userId, machineId, 'WRONG_ROLE', now)
    return { right, online: (await link.tunnel(machineId)) !== undefined }
  }

  async function refuse(userId: number, machineId: number, code: ErrorCode, now: number): Promise<Failure> {
    return new Failure(code, { data: { ...(await deps.findDenial(userId, machineId, code, now)) } })
  }

  async function open(entry: Entry, machineId: number, target: string, path = '/') {
    const own = await findEntry(entry.userId, machineId, entry.now)
    const right = { ...own, readOnly: own.readOnly || !entry.mayControl }
    if (!(await rights.whenFresh())) throw new Failure('503')
    const tunnel = await link.tunnel(machineId)
    await pingMachine(tunnel)
    const page = await findTarget(tunnel, target)
    const control = page.readOnly ? 'wished' : 'needed'
    const visit = await enter(entry, right, { machineId, target, reach: undefined, control })
    visit.canWatch = page.readOnly
    await asks.note(visit.visitId, { path, askedAt: entry.now })
    return { visitId: visit.visitId, mode: visit.mode, until: visit.until }
  }

  /** As `Visits.openPorts`; the failures of `openPorts` of the contract. */
  async function openPorts(caller: VisitCaller, machineId: number, mode: contract.VisitMode) {
    const right = await findEntry(caller.userId, machineId, caller.now)
    if (mode === 'rw' && !right.mayUsePorts) throw new Failure('PORTS_NOT_ALLOWED')
    if (mode === 'rw' && right.readOnly) throw new Failure('READ_ONLY')
    if (!(await rights.whenFresh())) throw new Failure('503')
    const tunnel = await link.tunnel(machineId)
    await pingMachine(tunnel)
    const ports = await listPorts(tunnel)
    if (ports.length === 0) throw new Failure('PORTS_NONE')
    const reach = right.mayUsePorts ? 'user' : 'visitor'
    if (mode === 'ro' && !ports.some((port) => mayLookAt(port, reach)))
      throw new Failure(right.mayUsePorts ? 'PORTS_NOT_LOOKABLE' : 'PORTS_NOT_ALLOWED')
    const control = mode === 'rw' ? 'needed' : 'none'
    const visit = await enter(entryOf(caller), right, { machineId, target: '', reach, control })
    return { visitId: visit.visitId, mode: mode === 'rw' ? visit.mode : mode, until: visit.until }
  }

  /** The session's live visit of a page or of ports, or a new one, with the controller where it takes that. */
  async function enter(entry: Entry, right: Access, wanted: Wanted): Promise<LiveVisit> {
    const { userId, openedBy } = entry
    const { machineId, target, reach, control } = wanted
    const opened = await withTransaction(db, async (trx) => {
      await lockController(trx, machineId)
      const at = new Date(entry.now)
      if ('sessionId' in openedBy && !(await store.lockSession(trx, openedBy.sessionId, userId, at)))
        throw new Failure('113')
      const visit = {
        userId,
        openedBy,
        address: entry.address,
        machineId,
        target,
        reach,
        reachedBy: 'sessionId' in openedBy ? (right.by ?? null) : 'project',
        at,
        endsAt: latestEnd(right, reach, entry.now),
      }
      // Each address of a portal is a visit of its own: several people may look by one member.
      const found =
        'sessionId' in openedBy
          ? await store.findOpenVisit(trx, { ...openedBy, machineId, target, reach }, at)
          : undefined
      // A visit that was just cut may not be written as ended yet: a person with a right again gets a new one.
      const isOver = found !== undefined && isEnded(live.find(found))
      const joined = isOver ? undefined : found
      const holder = await findController(trx, machineId, at)
      const isHolder = joined !== undefined && holder?.visit_id === joined
      const takes = !isHolder && !right.readOnly && mayTake(holder, userId, control)
      if (control === 'needed' && !isHolder && !takes) throw refusal(right, holder)
      const visitId = joined ?? (await store.createVisit(trx, visit))
      const about = { machineId, userId, visitId, at: entry.now }
      const told: NewFact[] = joined === undefined ? [{ kind: 'visit.opened', ...about, target }] : []
      if (!takes) {
        await facts.recordAll(trx, told)
        return { visitId, isNew: joined === undefined, former: undefined }
      }
      await putController(trx, { machineId, userId, visitId, since: at })
      await store.updateVisitWasRw(trx, visitId)
      await removeControlRequest(trx, visitId)
      // Another process may hold the streams of the visit it was taken from.
      const from = holder?.user_id ?? null
      await facts.recordAll(trx, [...told, { kind: 'control.taken', ...about, from }])
      return { visitId, isNew: joined === undefined, former: holder?.visit_id ?? undefined }
    })
    await live.moveControl(opened.former, opened.visitId)
    const visit = await live.load(opened.visitId)
    // The visit may have ended before this process loaded it.
    if (!(visit instanceof LiveVisit)) throw new Failure(codeOfEnd(visit?.ended))
    if (!visit.isDecided) throw new Failure('503')
    visit.markActive(entry.now)
    if (opened.isNew) await endSurplus(openedBy)
    return visit
  }

  /** Beyond the limit of a session's visits, or of a portal's, the one unused for longest makes room. */
  async function endSurplus(openedBy: store.OpenedBy): Promise<void> {
    const most = 'sessionId' in openedBy ? limits.visitsPerSession : limits.visitsPerProject
    for (const visitId of await store.listSurplusVisits(db, openedBy, most)) {
      const visit = await find(visitId)
      if (visit && !visit.ended) await live.end(visit, 'replaced')
    }
  }

  async function find(visitId: number) {
    const row = await store.findVisit(db, visitId, new Date(deps.now()))
    return (
      row && {
        visitId,
        machineId: row.machine_id,
        userId: row.user_id,
        ended: row.ended_at !== null,
        isSinceOwned: row.is_since_owned,
        until: row.ends_at.getTime(),
        activeAt: row.active_at.getTime(),
      }
    )
  }

  /** The visit, if it is the user's own or of a machine they hold a key of. */
  async function findVisible(userId: number, visitId: number, now: number) {
    const visit = await find(visitId)
    if (!visit) return undefined
    if (visit.userId === userId) return visit
    const isKeys = visit.isSinceOwned && (await access.has(userId, 'bkey+', [visit.machineId], now))
    return isKeys ? visit : undefined
  }

  return {
    check,
    open,
    openPorts,
    findVisible,

    /** As `VisitPort.findAsked`. */
    async findAsked({ sessionId, now }: VisitCaller, machineId: number, target: string) {
      const visitId = await store.findOpenVisit(
        db,
        { sessionId, machineId, target, reach: undefined },
        new Date(now),
      )
      const ask = visitId === undefined ? undefined : await asks.find(visitId)
      return visitId !== undefined && ask ? { visitId, askedAt: ask.askedAt } : undefined
    },

    /** As `VisitPort.findWayIn`. */
    async findWayIn({ userId, now }: VisitCaller, machineId: number) {
      const right = await findEntry(userId, machineId, now)
      // The machine gets no request, because a link alone must not keep it busy.
      if (!(await link.tunnel(machineId))) throw new Failure('ClOUD_VISIT_TIMEOUT')
      const name = (await listNames(db, userId, [machineId])).get(machineId) ?? ''
      return { name, mode: right.readOnly ? ('ro' as const) : ('rw' as const) }
    },

    /** The ports of a machine, with what the person may do at each. Throws ClOUD_VISIT_TIMEOUT, or why they cannot enter. */
    async listPorts(userId: number, machineId: number, now: number) {
      const right = await findEntry(userId, machineId, now)
      const reach = right.mayUsePorts ? 'user' : 'visitor'
      return (await listPorts(await link.tunnel(machineId), true)).map((port) => ({
        ...{ name: port.name, kind: port.kind, note: port.note, look: port.look },
        roundTripMs: port.roundTripMs,
        mayChange: right.mayUsePorts && !right.readOnly,
        mayLook: mayLookAt(port, reach),
      }))
    },

    /** The targets of a machine that can be entered. Throws ClOUD_VISIT_TIMEOUT. */
    listTargets: async (machineId: number) => listTargets(await link.tunnel(machineId)),

    /**
     * Ends a visit of the caller or of a machine whose key the caller holds; an ended one stays as it is. Throws 404.
     */
    async end(userId: number, visitId: number, now: number, note: string): Promise<void> {
      const visit = await findVisible(userId, visitId, now)
      if (!visit) throw new Failure('404')
      if (visit.ended) return
      await live.end(visit, 'ended', userId)
      if (note !== '') await store.updateEndNote(db, visitId, note)
    },

    /** Ends a visit from its own page. */
    async leave(visitId: number): Promise<void> {
      const visit = await find(visitId)
      if (visit && !visit.ended) await live.end(visit, 'left')
    },

    /** Restarts the idle clock of the caller's visit. Throws 404. */
    async extend(userId: number, visitId: number, now: number) {
      const found = await find(visitId)
      const visit = found?.userId === userId ? await live.load(visitId) : undefined
      if (!(visit instanceof LiveVisit)) throw new Failure('404')
      await live.settle(visit, now)
      if (visit.ended) throw new Failure('404')
      visit.markActive(now)
      const { machineId } = visit
      await withTransaction(db, async (trx) => {
        await store.updateVisitCounts(trx, [{ visitId, bytesIn: 0, bytesOut: 0, activeAt: now, ports: [] }])
        await facts.record(trx, { kind: 'visit.prolonged', machineId, userId, visitId, at: now })
      })
      return { until: visit.until, idleAt: live.idleAtOf(visit) }
    },
  }
}

/** See rules/visits.md: end of a visit. */
function latestEnd(right: Access, reach: PortReach | undefined, now: number): Date {
  const portsEndAt = reach === 'user' ? right.portsEndAt : undefined
  const never = Number.POSITIVE_INFINITY
  return new Date(Math.min(now + timing.visitMaxMs, right.endsAt ?? never, portsEndAt ?? never))
}

/**
 * Entering to change things takes a free controller. A person's own one moves along if the page cannot be entered
 * without it; otherwise it stays (rules/visits.md: control).
 */
function mayTake(holder: ControllerRow | undefined, userId: number, control: Wanted['control']): boolean {
  if (control === 'none') return false
  if (!holder) return true
  return holder.user_id === userId && (holder.visit_id === null || control === 'needed')
}

function refusal(right: Access, holder: ControllerRow | undefined): Failure {
  if (right.readOnly) return new Failure('TARGET_NOT_READ_ONLY')
  return new Failure('CONTROL_TAKEN', { data: { who: holder?.name ?? '' } })
}

function codeOfEnd(reason: contract.VisitEndReason | undefined): ErrorCode {
  if (reason === 'signedOut') return '113'
  if (reason === 'cloudOff') return 'CLOUD_EXPIRED'
  return reason === 'visitTimeOver' ? 'REST_TIME_OUT' : 'WRONG_ROLE'
}
