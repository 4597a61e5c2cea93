import { dateFormat } from '../date-format.ts'

/** Offsets change at full quarters of an hour, in every zone since 1972. */
const slotMs = 900_000
/** A backlog of a year needs more, which are computed again. */
const slotsMax = 2_048

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const threeDigits = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'))

/** Formats times in a zone as a wall clock; made for millions of them, mostly in rising order. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()
  #slot = Number.NaN
  #offset = 0
  #second = Number.NaN
  #text = ''
  #zoneOffset = Number.NaN
  #zoneText = ''

  /** Throws RangeError for a zone that is not in the database of IANA. */
  constructor(zone: string) {
    this.#format = dateFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** The reading of the clock as if it were in UTC, epoch milliseconds. */
  wall(at: number): number {
    const slot = Math.floor(at / slotMs)
    if (slot !== this.#slot) {
      this.#slot = slot
      this.#offset = this.#offsetOf(slot)
    }
    return at + this.#offset
  }

  /** `2026-11-23 09:05:07.120+08:00`: with its offset, which tells the hours apart that clocks show twice. */
  text(at: number): string {
    const wall = this.wall(at)
    const second = Math.floor(wall / 1_000)
    if (second !== this.#second) {
      this.#second = second
      const of = new Date(second * 1_000)
      this.#text = `${dateText(of)} ${twoDigits[of.getUTCHours()]}:${twoDigits[of.getUTCMinutes()]}:${twoDigits[of.getUTCSeconds()]}.`
    }
    return this.#text + (threeDigits[Math.floor(wall - second * 1_000)] as string) + this.offset(at)
  }

  /** Offset of the zone from UTC, in ms. */
  offsetMs(at: number): number {
    this.wall(at)
    return this.#offset
  }

  /** `+08:00`. */
  offset(at: number): string {
    const offsetMs = this.offsetMs(at)
    if (offsetMs !== this.#zoneOffset) {
      this.#zoneOffset = offsetMs
      this.#zoneText = offsetText(offsetMs)
    }
    return this.#zoneText
  }

  /** `2026-11-23`. */
  date(at: number): string {
    return dateText(new Date(this.wall(at)))
  }

  #offsetOf(slot: number): number {
    const known = this.#offsets.get(slot)
    if (known !== undefined) return known
    const at = slot * slotMs
    const parts = new Map(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    const wall = Date.UTC(
      read('year'),
      read('month') - 1,
      read('day'),
      read('hour'),
      read('minute'),
      read('second'),
    )
    if (this.#offsets.size >= slotsMax) this.#offsets.clear()
    this.#offsets.set(slot, wall - at)
    return wall - at
  }
}

/** Zones are whole minutes away from UTC since 1972. */
function offsetText(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}`
}

const dateText = (of: Date): string =>
  `${String(of.getUTCFullYear()).padStart(4, '0')}-${twoDigits[of.getUTCMonth() + 1]}-${twoDigits[of.getUTCDate()]}`
