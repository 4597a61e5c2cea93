import { alarms } from '@busbar/contract'

/** Raisings within the ten minutes that begin at `from`, epoch milliseconds. */
export interface SpanCount {
  readonly from: number
  readonly raised: number
}

export interface Flood {
  readonly from: number
  readonly to: number
  readonly raised: number
  /** The most within ten minutes. */
  readonly peak: number
}

export const spanMs = 10 * 60_000
const { floodPerTenMinutes, floodEndPerTenMinutes } = alarms.alarmTargets

/**
 * Floods by EEMUA 191, the earliest first: one begins with a span of at least ten alarms and lasts until a span of fewer
 * than five. `spans`: in order, those without alarms left out (rules/alarms.md: quality report).
 */
export function findFloods(spans: readonly SpanCount[]): Flood[] {
  const floods: Flood[] = []
  let flood: Flood | undefined
  for (const { from, raised } of spans) {
    const goesOn = flood !== undefined && flood.to === from && raised >= floodEndPerTenMinutes
    if (flood && goesOn) {
      flood = {
        ...flood,
        to: from + spanMs,
        raised: flood.raised + raised,
        peak: Math.max(flood.peak, raised),
      }
      floods[floods.length - 1] = flood
    } else if (raised >= floodPerTenMinutes) {
      flood = { from, to: from + spanMs, raised, peak: raised }
      floods.push(flood)
    } else flood = undefined
  }
  return floods
}

/** Rates an average by the number of alarms that a person can handle. */
export function rate(
  average: number,
  { acceptable, manageable }: { readonly acceptable: number; readonly manageable: number },
): alarms.AlarmRating {
  if (average <= acceptable) return 'acceptable'
  return average <= manageable ? 'manageable' : 'tooMany'
}

/** The highest count, and when its span began. */
export function findHighest(counts: readonly SpanCount[]): { highest: number; highestAt: number | null } {
  let found: SpanCount | undefined
  for (const one of counts) if (one.raised > (found?.raised ?? 0)) found = one
  return { highest: found?.raised ?? 0, highestAt: found?.from ?? null }
}
