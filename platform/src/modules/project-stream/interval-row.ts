import { qualityNumber, type SampleValue } from '../telemetry/index.ts'
import { type Reading, rowOf, type Stats } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import type { Link } from './wanted-tags.ts'

/** The values of one variable in an interval: the last one, and figures of the numbers. */
interface Gathered {
  readonly key: string
  readonly group: string
  value: SampleValue
  quality: number
  time: number
  receivedAt: number
  count: number
  sum: number
  min: number
  max: number
}

type StoredValue = Exclude<SampleValue, bigint> | { readonly int: string }

/** A row of an interval as it is stored while the interval is not over. */
export interface StoredRow {
  readonly linkId: number
  readonly from: number
  readonly tags: readonly (Omit<Gathered, 'value'> & { readonly value: StoredValue })[]
}

/** The row of a machine about an interval that begins `from`. */
export class IntervalRow {
  readonly from: number
  /** That of the newest reading: names may have changed meanwhile. */
  link: Link
  readonly #tags = new Map<string, Gathered>()
  #late = false

  constructor(link: Link, from: number) {
    this.link = link
    this.from = from
  }

  static restore(link: Link, { from, tags }: StoredRow): IntervalRow {
    const row = new IntervalRow(link, from)
    for (const { value, ...tag } of tags) row.#tags.set(tag.key, { ...tag, value: restoredValue(value) })
    return row
  }

  add({ link, time, receivedAt, late, outlets, values, qualities }: Reading): void {
    this.link = link
    this.#late = late
    for (const [place, { key, group }] of outlets.entries()) {
      const value = values[place] ?? null
      const quality = qualities[place] ?? qualityNumber.good
      const known = this.#tags.get(key)
      const tag = known ?? { ...empty, key, group, value, quality, time, receivedAt }
      if (!known) this.#tags.set(key, tag)
      else if (time > tag.time || (time === tag.time && receivedAt >= tag.receivedAt))
        Object.assign(tag, { value, quality, time, receivedAt })
      count(tag, value, quality)
    }
  }

  row(): NewRow {
    const { link } = this
    const tags = [...this.#tags.values()]
    const newest = (of: 'time' | 'receivedAt') => tags.reduce((max, tag) => Math.max(max, tag[of]), 0)
    const reading = {
      ...{ link, late: this.#late, time: newest('time'), receivedAt: newest('receivedAt') },
      outlets: tags.map(({ key, group }) => ({ link, key, group })),
      values: tags.map(({ value }) => value),
      qualities: tags.map(({ quality }) => quality),
    }
    return rowOf(reading, tags.flatMap(statsOf))
  }

  store(): StoredRow {
    const tags = Array.from(this.#tags.values(), (tag) => ({
      ...tag,
      value: typeof tag.value === 'bigint' ? { int: String(tag.value) } : tag.value,
    }))
    return { linkId: this.link.linkId, from: this.from, tags }
  }
}

const empty = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }

/** Counts a number that is a value: others have no mean. */
function count(tag: Gathered, value: SampleValue, quality: number): void {
  if (typeof value !== 'number' && typeof value !== 'bigint') return
  if (quality !== qualityNumber.good && quality !== qualityNumber.uncertain) return
  const number = Number(value)
  tag.count++
  tag.sum += number
  tag.min = Math.min(tag.min, number)
  tag.max = Math.max(tag.max, number)
}

function statsOf({ key, count, sum, min, max }: Gathered): Stats[] {
  // The sum of the greatest numbers may be beyond all numbers.
  return count > 0 ? [{ key, mean: Number.isFinite(sum) ? sum / count : (min + max) / 2, min, max }] : []
}

const restoredValue = (stored: StoredValue): SampleValue =>
  typeof stored === 'object' && stored !== null ? BigInt(stored.int) : stored
