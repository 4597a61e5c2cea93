import type { Database } from '../../kernel/database/database.ts'
import { listFaultSpans } from '../alarms/index.ts'
import { type Connected, gapsBetween, listConnectedSpans, listLostSpans } from '../telemetry/index.ts'

const hourMs = 3_600_000
const stripHours = 24
/** An hour of the strip, as the contract's `stripStates`. */
const strip = { unknown: 0, fine: 1, gap: 2, fault: 3 } as const
/** A quick reconnect is not worth showing as an outage (rules/telemetry.md: strip). */
const gapMsMin = 60_000

/** 24 hours of each machine. */
export interface Strips {
  /** By machine, oldest first, the running hour last; hours are those of the clock. */
  readonly of: ReadonlyMap<number, number[]>
  /** The earliest time at which one of them changes without anybody's action, epoch milliseconds. */
  readonly until: number
}

export async function listStrips(db: Database, machineIds: readonly number[], now: number): Promise<Strips> {
  const lastHour = Math.floor(now / hourMs) * hourMs
  const from = lastHour - (stripHours - 1) * hourMs
  // A machine's clock may be a little ahead: data for the running hour counts at once.
  const to = lastHour + hourMs
  const [connected, faults, lost] = await Promise.all([
    listConnectedSpans(db, machineIds, { from, to, now }),
    listFaultSpans(db, machineIds, from, to),
    listLostSpans(db, machineIds, { from, to }),
  ])
  const faultsOf = Map.groupBy(faults, (span) => span.machineId)
  const lostOf = Map.groupBy(lost, (span) => span.machineId)
  let until = to
  const of = new Map(
    machineIds.map((machineId) => {
      const known = connected.get(machineId)
      const spans = faultsOf.get(machineId)
      const hours = Array.from({ length: stripHours }, (_, index) => {
        const start = from + index * hourMs
        const end = Math.min(start + hourMs, now)
        const within = (span: { from: number; to: number }) => span.from < start + hourMs && span.to >= start
        const hour = hourOf(known, spans?.some(within) === true, start, end)
        // Connected all the time, and yet not all of it is known.
        return hour === strip.fine && lostOf.get(machineId)?.some(within) ? strip.gap : hour
      })
      until = Math.min(until, findNextChange(known, lastHour, now))
      return [machineId, hours]
    }),
  )
  return { of, until }
}

function hourOf(known: Connected | undefined, hasFault: boolean, start: number, end: number): number {
  if (!known || known.knownFrom >= end) return strip.unknown
  if (hasFault) return strip.fault
  const from = Math.max(start, known.knownFrom)
  const awayMs = awayBetween(known, from, end)
  if (awayMs >= end - from && awayMs > 0) return strip.fault
  return awayMs >= Math.min(gapMsMin, end - from) && awayMs > 0 ? strip.gap : strip.fine
}

const awayBetween = ({ spans }: Connected, from: number, to: number): number =>
  gapsBetween(spans, from, to).reduce((sum, [gapFrom, gapTo]) => sum + gapTo - gapFrom, 0)

/** When the running hour may be another one though nothing is written, at the earliest. */
function findNextChange(known: Connected | undefined, lastHour: number, now: number): number {
  if (!known) return Number.POSITIVE_INFINITY
  // Clocks of two processes differ: a connection may begin or end a moment from now.
  const ahead = [known.knownFrom, ...known.spans.flat()].filter((at) => at > now)
  if (known.knownFrom === now) ahead.push(now)
  const from = Math.max(lastHour, known.knownFrom)
  const awayMs = awayBetween(known, from, now)
  const isAwayThroughout = awayMs > 0 && awayMs >= now - from
  if (known.isOpen) {
    if (isAwayThroughout) ahead.push(now)
  } else if (awayMs < gapMsMin && !isAwayThroughout) {
    ahead.push(now - from < gapMsMin ? now : now + gapMsMin - awayMs)
  }
  return Math.min(...ahead)
}
