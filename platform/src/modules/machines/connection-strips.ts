import type { Database } from '../../kernel/database/database.ts'
import { listFaultSpans } from '../alarms/index.ts'
import { gapsBetween, listConnectedSpans, listLostSpans, type Span } from '../telemetry/index.ts'

const hourMs = 3_600_000
const stripHours = 24
/** An hour of the strip, as the contract's `stripStates`. */
const strip = { unknown: 0, fine: 1, gap: 2, fault: 3 } as const
/** A reconnect is no outage worth showing. */
const gapMsMin = 60_000

/** 24 hours of each machine, oldest first, the running hour last; hours are those of the clock. */
export async function listStrips(
  db: Database,
  machineIds: readonly number[],
  now: number,
): Promise<Map<number, number[]>> {
  const lastHour = Math.floor(now / hourMs) * hourMs
  const from = lastHour - (stripHours - 1) * hourMs
  const [connected, faults, lost] = await Promise.all([
    listConnectedSpans(db, machineIds, { from, to: now, now }),
    listFaultSpans(db, machineIds, from, now),
    listLostSpans(db, machineIds, { from, to: now }),
  ])
  const faultsOf = Map.groupBy(faults, (span) => span.machineId)
  const lostOf = Map.groupBy(lost, (span) => span.machineId)
  return new Map(
    machineIds.map((machineId) => {
      const known = connected.get(machineId)
      const spans = faultsOf.get(machineId)
      const hours = Array.from({ length: stripHours }, (_, index) => {
        const start = from + index * hourMs
        const end = Math.min(start + hourMs, now)
        const isFaulty = spans?.some((span) => span.from < start + hourMs && span.to >= start) === true
        const hour = hourOf(known, isFaulty, start, end)
        const hasLost = lostOf.get(machineId)?.some((span) => span.from < end && span.to >= start)
        // Connected all the time, and yet not all of it is known.
        return hour === strip.fine && hasLost ? strip.gap : hour
      })
      return [machineId, hours]
    }),
  )
}

function hourOf(
  known: { readonly knownFrom: number; readonly spans: readonly Span[] } | undefined,
  hasFault: boolean,
  start: number,
  end: number,
): number {
  if (!known || known.knownFrom >= end) return strip.unknown
  if (hasFault) return strip.fault
  const from = Math.max(start, known.knownFrom)
  const awayMs = gapsBetween(known.spans, from, end).reduce(
    (sum, [gapFrom, gapTo]) => sum + gapTo - gapFrom,
    0,
  )
  if (awayMs >= end - from && awayMs > 0) return strip.fault
  return awayMs >= Math.min(gapMsMin, end - from) && awayMs > 0 ? strip.gap : strip.fine
}
