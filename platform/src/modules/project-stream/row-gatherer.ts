import {
  qualityNumber,
  qualityOf,
  type SampleSink,
  type SampleValue,
  type TagType,
} from '../telemetry/index.ts'
import type { NewRow } from './stream-row.ts'
import type { Link, Outlet, WantedTags } from './wanted-tags.ts'

/** The values of a machine at one instant, for one project. */
export interface Reading {
  readonly link: Link
  readonly time: number
  readonly receivedAt: number
  readonly late: boolean
  /** Columns: where each value goes, the value, and the number of its quality. */
  readonly outlets: Outlet[]
  readonly values: SampleValue[]
  readonly qualities: number[]
}

/** Gathers the samples of one commit into readings. */
export class RowGatherer implements SampleSink {
  readonly #wanted: WantedTags
  readonly readings: Reading[] = []
  /** Variables of which it is not known whether a project gets them. */
  readonly unknown = new Set<number>()
  /** The newest reading of each link, and of each its readings by time. */
  readonly #last = new Map<Link, Reading>()
  readonly #byTime = new Map<Link, Map<string, Reading>>()

  constructor(wanted: WantedTags) {
    this.#wanted = wanted
  }

  add(
    tagId: number,
    _type: TagType,
    at: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
  ): void {
    if (!this.#wanted.isKnown(tagId)) this.unknown.add(tagId)
    for (const outlet of this.#wanted.outletsOf(tagId)) {
      // A backlog may begin before the machine came to the project. A live value counts by its arrival: clocks differ.
      if (late && at < outlet.link.since) continue
      const reading = this.#readingOf(outlet, at, receivedAt, late)
      reading.outlets.push(outlet)
      reading.values.push(value)
      reading.qualities.push(quality)
    }
  }

  /** The reading that the next value of a link belongs to; a variable that tells twice at one instant begins another one. */
  #readingOf(outlet: Outlet, time: number, receivedAt: number, late: boolean): Reading {
    const { link } = outlet
    const last = this.#last.get(link)
    if (last && last.time === time && last.late === late && !last.outlets.includes(outlet)) return last
    const byTime = this.#byTime.get(link) ?? new Map<string, Reading>()
    this.#byTime.set(link, byTime)
    const key = `${time} ${late}`
    const known = byTime.get(key)
    if (known && !known.outlets.includes(outlet)) {
      this.#last.set(link, known)
      return known
    }
    const reading = { link, time, receivedAt, late, outlets: [], values: [], qualities: [] }
    byTime.set(key, reading)
    this.#last.set(link, reading)
    this.readings.push(reading)
    return reading
  }
}

/** The mean of numbers in an interval, and the least and the greatest of them. */
export interface Stats {
  readonly key: string
  readonly mean: number
  readonly min: number
  readonly max: number
}

/** The row of a reading. */
export function rowOf(reading: Reading, stats: readonly Stats[] = []): NewRow {
  const { link, time, receivedAt, late, outlets, values, qualities } = reading
  const [first] = outlets
  const group = first && outlets.every((outlet) => outlet.group === first.group) ? first.group : ''
  const told = outlets.map(({ key }, place) => `${key}:${jsonOf(values[place] ?? null)}`)
  const others = outlets.flatMap(({ key }, place) => {
    const quality = qualities[place] ?? qualityNumber.good
    return quality === qualityNumber.good ? [] : [`${key}:"${qualityOf(quality)}"`]
  })
  const parts = [
    `${link.head}"group":${JSON.stringify(group)},"time":${time},"receivedAt":${receivedAt}`,
    ...(late ? ['"late":true'] : []),
    `"values":{${told.join(',')}}`,
    ...(stats.length > 0 ? [`"stats":{${stats.map(statsJson).join(',')}}`] : []),
    ...(others.length > 0 ? [`"quality":{${others.join(',')}}`] : []),
  ]
  const { linkId, machineId } = link
  return { linkId, machineId, kind: 'row', time, late, text: `${parts.join(',')}}` }
}

const statsJson = ({ key, mean, min, max }: Stats): string =>
  `${key}:{"mean":${mean},"min":${min},"max":${max}}`

/** Integers beyond 2^53 are texts of digits, as in the API. */
function jsonOf(value: SampleValue): string {
  if (typeof value !== 'bigint') return JSON.stringify(value)
  return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`
}
