import type { Clock } from '../clock.ts'
import type { Gps } from './told.ts'
import { isPosition, roundedGps, vagueMetres } from './told.ts'

/** The error of a single range: HDOP is how often it counts in the plane. */
const rangeErrorMetres = 5
/** A dilution or an error estimate is that of the fixes of this time. */
const estimateMs = 10_000
const dayMs = 86_400_000
/** GPS counts 1,024 weeks and begins again: an old receiver tells a date of years ago. */
const rolloverMs = 1_024 * 7 * dayMs
/** No receiver that this program reads worked before it. */
const earliestAt = Date.UTC(2026, 0, 1)

/** GGA field 6: GPS, differential, precise, both kinds of real-time kinematic; not estimated, by hand or simulated. */
const fixQualities = new Set(['1', '2', '3', '4', '5'])
/** The mode of RMC and of each system of GNS, since NMEA 0183 2.3: the same kinds. */
const fixModes = /[ADPRF]/

/**
 * Reads the sentences of satellite receivers: RMC, GGA, GNS and GST of any talker (NMEA 0183 4.10: 5.2.3 checksum, 5.3
 * sentences, 6.3 approved sentences). Others are passed over, as are lines that are broken.
 *
 * Only RMC has a date. The time of the others is that of the nearest day, by the receiver's own clock once an RMC told it:
 * around midnight either of them may come first.
 */
export class NmeaReader {
  readonly #clock: Pick<Clock, 'now'>
  readonly #onFix: (gps: Gps) => void
  /** The receiver's clock minus ours. */
  #aheadMs = 0
  #dilution: Estimate | null = null
  #deviation: Estimate | null = null

  constructor(clock: Pick<Clock, 'now'>, onFix: (gps: Gps) => void) {
    this.#clock = clock
    this.#onFix = onFix
  }

  /** Whether the line is a sentence with the right checksum, of whatever kind. */
  take(line: string): boolean {
    // Before it stands the rest of a line that was cut, or a tag block.
    const sentence = parseSentence(line.slice(line.lastIndexOf('$')))
    if (sentence === null) return false
    const { kind, fields } = sentence
    if (kind === 'RMC') this.#takeRmc(fields)
    else if (kind === 'GGA' && fixQualities.has(fields[5] ?? '')) this.#takeFix(fields)
    else if (kind === 'GNS' && fixModes.test(fields[5] ?? '')) this.#takeFix(fields)
    else if (kind === 'GST') this.#takeErrors(fields)
    return true
  }

  #takeRmc([
    time = '',
    status,
    lat = '',
    northOrSouth,
    lng = '',
    eastOrWest,
    ,
    ,
    date = '',
    ,
    ,
    mode,
  ]: readonly string[]) {
    const timeMs = parseTime(time)
    const dayAt = parseDate(date)
    if (timeMs === null || dayAt === null || status !== 'A') return
    if (mode !== undefined && mode !== '' && !fixModes.test(mode)) return
    const at = dayAt + timeMs
    this.#aheadMs = at - this.#clock.now()
    this.#tell(parsePosition(lat, northOrSouth, lng, eastOrWest), at)
  }

  #takeFix([
    time = '',
    lat = '',
    northOrSouth,
    lng = '',
    eastOrWest,
    ,
    ,
    dilution = '',
  ]: readonly string[]): void {
    const at = this.#atOf(time)
    if (at === null) return
    const hdop = parseNumber(dilution)
    if (hdop !== null && hdop > 0) this.#dilution = { metres: hdop * rangeErrorMetres, at }
    this.#tell(parsePosition(lat, northOrSouth, lng, eastOrWest), at)
  }

  #takeErrors([time = '', , , , , ofLat = '', ofLng = '']: readonly string[]): void {
    const at = this.#atOf(time)
    const lat = parseNumber(ofLat)
    const lng = parseNumber(ofLng)
    if (at !== null && lat !== null && lng !== null) this.#deviation = { metres: Math.hypot(lat, lng), at }
  }

  #tell(position: { lat: number; lng: number } | null, at: number): void {
    if (position === null) return
    const isOfNow = (estimate: Estimate | null) =>
      estimate !== null && Math.abs(at - estimate.at) <= estimateMs
    const { metres } = [this.#deviation, this.#dilution].find(isOfNow) ?? { metres: vagueMetres }
    this.#onFix(roundedGps({ ...position, accuracy: metres, at }))
  }

  /** The instant of a time of day: the one that is nearest to the receiver's clock. */
  #atOf(time: string): number | null {
    const timeMs = parseTime(time)
    if (timeMs === null) return null
    const receiverAt = this.#clock.now() + this.#aheadMs
    const days = Math.round((receiverAt - timeMs) / dayMs)
    return days * dayMs + timeMs
  }
}

interface Estimate {
  readonly metres: number
  readonly at: number
}

/** `$` talker, kind, fields, `*` and the exclusive or of all bytes between them, in hexadecimal. */
function parseSentence(text: string): { kind: string; fields: string[] } | null {
  const [, body = '', kind = '', sum = ''] =
    /^\$([A-Z]{2}([A-Z]{3}),[\x20-\x7e]*)\*([0-9A-Fa-f]{2})\s*$/.exec(text) ?? []
  if (body === '' || nmeaChecksum(body) !== Number.parseInt(sum, 16)) return null
  return { kind, fields: body.slice(6).split(',') }
}

export function nmeaChecksum(body: string): number {
  let sum = 0
  for (let index = 0; index < body.length; index++) sum ^= body.charCodeAt(index)
  return sum
}

/** `hhmmss` with decimals, in milliseconds since midnight. */
function parseTime(text: string): number | null {
  const [, hours, minutes, seconds] = /^(\d{2})(\d{2})(\d{2}(?:\.\d{1,6})?)$/.exec(text) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59 || !(Number(seconds) < 61)) return null
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
}

/** `ddmmyy`. */
function parseDate(text: string): number | null {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{2})$/.exec(text) ?? []
  if (!(Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12)) return null
  // Receivers that begin again at 1980 are among those of years ago.
  let at = Date.UTC(Number(year) + (Number(year) < 80 ? 2_000 : 1_900), Number(month) - 1, Number(day))
  while (at < earliestAt - dayMs) at += rolloverMs
  return at
}

function parsePosition(lat: string, northOrSouth = '', lng: string, eastOrWest = '') {
  const latitude = parseDegrees(/^(\d{2})(\d{2}(?:\.\d*)?)$/, lat, ['N', 'S'].indexOf(northOrSouth))
  const longitude = parseDegrees(/^(\d{3})(\d{2}(?:\.\d*)?)$/, lng, ['E', 'W'].indexOf(eastOrWest))
  if (latitude === null || longitude === null || !isPosition(latitude, longitude)) return null
  return { lat: latitude, lng: longitude }
}

/** Degrees and minutes without a separator; `side` is 0 for the positive half, 1 for the negative. */
function parseDegrees(pattern: RegExp, text: string, side: number): number | null {
  const [, degrees, minutes] = pattern.exec(text) ?? []
  if (side < 0 || !(Number(minutes) < 60)) return null
  return (Number(degrees) + Number(minutes) / 60) * (side === 0 ? 1 : -1)
}

function parseNumber(text: string): number | null {
  return /^\d{1,6}(\.\d{0,6})?$/.test(text) ? Number(text) : null
}
