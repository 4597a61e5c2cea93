import type { Fix } from './place-rules.ts'

/** Larger numbers are milliseconds: as seconds they would be in the year 5138. */
const secondsMax = 1e11
const instantMax = 8_640_000_000_000_000
/** A clock that is further back is wrong, such as that of a receiver whose weeks began anew. */
const oldMsMax = 7 * 86_400_000

/**
 * A position as machines tell it: `{lat, lng, accuracy?, at?}`, metres, and seconds or milliseconds since 1970; without a
 * time, or with one that cannot be, it is from `toldAt`. Undefined for anything else.
 */
export function readGps(told: unknown, toldAt: number): Fix | undefined {
  if (typeof told !== 'object' || told === null) return undefined
  const { lat, lng, accuracy, at } = told as Record<string, unknown>
  if (!isNumber(lat) || !isNumber(lng)) return undefined
  return {
    lat,
    lng,
    accuracyM: isNumber(accuracy) && accuracy >= 0 ? accuracy : null,
    source: 'gps',
    at: readInstant(at, toldAt) ?? toldAt,
  }
}

function readInstant(at: unknown, toldAt: number): number | undefined {
  if (!isNumber(at)) return undefined
  const ms = Math.round(at > secondsMax ? at : at * 1_000)
  return ms < toldAt - oldMsMax || ms > instantMax ? undefined : ms
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
