import { type access, timing, type visits } from '@busbar/contract'
import type { ControllerHolder, VisitEvent } from '../../shared/api/push-messages.ts'

/** An open visit as far as this tab knows it. Instants in epoch milliseconds. */
export interface LiveVisit {
  readonly sessionId: number
  readonly machineId: number
  /** Empty if only the push reported it. */
  readonly machineName: string
  readonly userId: number
  readonly user: string
  readonly me: boolean
  readonly kind: visits.Visit['kind']
  readonly target: string
  readonly mode: access.VisitMode
  /** Null if only the push reported it. */
  readonly from: number | null
  readonly until: number
  /** The time at which it ends when idle; null while a bar attends it. */
  readonly idleAt: number | null
  /** The time at which its control is released because its page is closed; null if that is not near. */
  readonly releaseAt: number | null
  readonly bytesIn: number
  readonly bytesOut: number
  readonly controls: boolean
  readonly asks: boolean
}

export interface LiveVisits {
  /** In the order they were opened. */
  readonly visits: readonly LiveVisit[]
  /** The controllers of machines by id; machines without any report are missing. */
  readonly controllers: Readonly<Record<number, ControllerHolder>>
}

export const freeController: ControllerHolder = { who: null, me: false, sessionId: null }

/** The platform's list as this tab keeps it. */
export function fromListed(list: readonly visits.Visit[]): LiveVisits {
  const controllers: Record<number, ControllerHolder> = {}
  const live = list.filter((visit) => visit.live).map(toLive)
  for (const visit of live) {
    if (visit.controls)
      controllers[visit.machineId] = { who: visit.user, me: visit.me, sessionId: visit.sessionId }
  }
  return { visits: live.sort((a, b) => (a.from ?? 0) - (b.from ?? 0)), controllers }
}

function toLive(visit: visits.Visit): LiveVisit {
  const { sessionId, user, machine, kind, target, mode, from, until, idleAt } = visit
  const { bytesIn, bytesOut, controls, asks, releaseAt } = visit
  return {
    sessionId,
    machineId: machine.machineId,
    machineName: machine.name,
    userId: user.userId,
    user: user.name,
    me: user.me,
    kind,
    target,
    mode,
    from,
    until,
    idleAt,
    releaseAt,
    bytesIn,
    bytesOut,
    controls,
    asks,
  }
}

/**
 * The listed visits of the caller, with those that only the push reported: other people's visits, and who
 * controls a machine.
 */
export function mergeListed(known: LiveVisits | undefined, listed: LiveVisits): LiveVisits {
  if (!known) return listed
  const listedIds = new Set(listed.visits.map((visit) => visit.sessionId))
  const others = known.visits.filter((visit) => !visit.me && !listedIds.has(visit.sessionId))
  const controllers = { ...listed.controllers }
  for (const [machineId, controller] of Object.entries(known.controllers)) {
    const isOutdated = controller.me || (controller.sessionId !== null && listedIds.has(controller.sessionId))
    if (!isOutdated) controllers[Number(machineId)] ??= controller
  }
  return { visits: [...listed.visits, ...others], controllers }
}

/**
 * The visits after an event; `myId` tells the caller's visits from others' if the event is the first report
 * of a visit.
 */
export function applyVisitEvent(state: LiveVisits, event: VisitEvent, myId: number | undefined): LiveVisits {
  const { sessionId, machineId, userId, user, target, mode, until, idleAt, asks, controller, releaseAt } =
    event
  const known = state.visits.find((visit) => visit.sessionId === sessionId)
  const others = state.visits
    .filter((visit) => visit.sessionId !== sessionId)
    // One controller at a time: the same event tells the previous one.
    .map((visit) =>
      visit.machineId === machineId
        ? { ...visit, controls: visit.sessionId === controller.sessionId }
        : visit,
    )
  const controllers = { ...state.controllers, [machineId]: controller }
  if (event.ended) return { visits: others, controllers }
  const changed: LiveVisit = {
    ...(known ?? {
      machineName: '',
      me: userId === myId,
      kind: 'page' as const,
      from: null,
      bytesIn: 0,
      bytesOut: 0,
    }),
    sessionId,
    machineId,
    userId,
    user,
    target,
    mode,
    until,
    idleAt,
    releaseAt,
    controls: event.controls,
    asks,
  }
  const visits = known
    ? state.visits.map((visit) =>
        visit.sessionId === sessionId
          ? changed
          : (others.find((other) => other.sessionId === visit.sessionId) ?? visit),
      )
    : [...others, changed]
  return { visits, controllers }
}

/** The end of a visit and its reason, as far as known now. */
export function endOf(visit: Pick<LiveVisit, 'until' | 'idleAt'>): { at: number; cause: 'idle' | 'time' } {
  return visit.idleAt !== null && visit.idleAt < visit.until
    ? { at: visit.idleAt, cause: 'idle' }
    : { at: visit.until, cause: 'time' }
}

/** Whether a visit is in its last minutes. */
export function isEnding(visit: Pick<LiveVisit, 'until' | 'idleAt'>, now: number): boolean {
  return endOf(visit).at - now <= timing.visitWarningMs
}
