import { isCounting, qualityNumber, type TagType } from '../tag-type.ts'
import { ByteReader, BytesDamaged } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import type { ChunkSamples } from './chunk.ts'
import { hourMs } from './chunk-rows.ts'
import { CounterRise, isCounterRise, type RiseColumns, riseState } from './counter-rise.ts'
import { exactNumbers } from './integer-column.ts'
import { findDigits, readNumbers, writeNumbers } from './number-column.ts'
import type { NumberRoom } from './number-room.ts'
import { readRuns, writeRuns } from './run-column.ts'
import { seal, sealedForm, unseal } from './sealed.ts'
import { readTimes, writeTimes } from './time-column.ts'

/** The minutes of a bucket. */
export type AverageStep = 1 | 60

export const stepMs = (step: AverageStep): number => step * 60_000

/** The averages of the samples of some hours, in buckets, as columns in the order of time. Whole numbers are exact. */
export interface Averages extends RiseColumns {
  readonly type: TagType
  /** The hours it is of, since 1970, rising: each with all samples of its time. */
  readonly hours: ArrayLike<number>
  /** The begin of each bucket, epoch milliseconds. Buckets without a sample are left out. */
  readonly starts: ArrayLike<number>
  readonly samples: ArrayLike<number>
  /** Number of samples with a value; if it is 0, the next columns are 0, too. */
  readonly counts: ArrayLike<number>
  /** 1 where one of the values is uncertain. */
  readonly uncertains: ArrayLike<number>
  readonly sums: ArrayLike<number>
  readonly lows: ArrayLike<number>
  readonly highs: ArrayLike<number>
  readonly firsts: ArrayLike<number>
  readonly lasts: ArrayLike<number>
}

/** The columns of an `Averages` beside its hours. */
const columns = [
  'starts',
  'samples',
  'counts',
  'uncertains',
  'sums',
  'lows',
  'highs',
  'firsts',
  'lasts',
  'states',
  'rises',
  'tops',
  'resets',
] as const

/**
 * The averages of an hour's samples, which are in the order of their times; those of slow tags, too, as averages are kept
 * longer than samples. Undefined of texts, and of whole numbers that a double does not hold exactly.
 */
export function averageHour(hour: number, samples: ChunkSamples, step: AverageStep): Averages | undefined {
  const { times, qualities, filled, column } = samples
  if (column.type === 'string') return undefined
  const values = column.type === 'int64' ? exactNumbers(column.values) : column.values
  if (!values) return undefined
  const made = emptyLists()
  const bucketMs = stepMs(step)
  let bucket = -1
  let end = Number.NEGATIVE_INFINITY
  let value = 0
  const rises = column.type === 'bool' ? undefined : new HourRises(made, column.type === 'int64')
  for (let place = 0; place < times.length; place++) {
    const time = times[place] as number
    if (time >= end) {
      const start = Math.floor(time / bucketMs) * bucketMs
      end = start + bucketMs
      bucket = made.starts.push(start) - 1
      for (const name of columns) if (name !== 'starts') made[name].push(0)
    }
    add(made.samples, bucket, 1)
    if (filled[place] !== 1) continue
    const known = values[value++] as number
    const quality = qualities[place] as number
    if (!isCounting(quality)) continue
    if (quality === qualityNumber.uncertain) made.uncertains[bucket] = 1
    if (made.counts[bucket] === 0) {
      made.lows[bucket] = made.highs[bucket] = made.firsts[bucket] = known
    } else {
      if (known < (made.lows[bucket] as number)) made.lows[bucket] = known
      if (known > (made.highs[bucket] as number)) made.highs[bucket] = known
    }
    made.lasts[bucket] = known
    add(made.counts, bucket, 1)
    add(made.sums, bucket, known)
    rises?.take(known, time, bucket)
  }
  if (column.type === 'int64' && made.sums.some((sum) => !Number.isSafeInteger(sum))) return undefined
  roundSums(made.sums, values)
  rises?.finish()
  roundSums(made.rises, values)
  return { type: column.type, hours: [hour], ...made }
}

/** Counts the rise of the values of an hour in its buckets. */
class HourRises {
  readonly #made: Lists
  readonly #counter: CounterRise
  #bucket = -1

  constructor(made: Lists, isInteger: boolean) {
    this.#made = made
    this.#counter = new CounterRise(isInteger, [], (at, amount, isReset) => {
      // A value that had to wait for others may be of an earlier bucket.
      let bucket = this.#bucket
      while ((made.starts[bucket] as number) > at) bucket--
      add(made.rises, bucket, Number(amount))
      if (isReset) add(made.resets, bucket, 1)
    })
  }

  take(value: number, at: number, bucket: number): void {
    if (bucket !== this.#bucket) this.#closeBucket()
    this.#bucket = bucket
    if (!this.#counter.take(value, at)) this.#made.states[bucket] = riseState.told
  }

  /** Only what the other columns do not tell is kept, and of counters only. */
  finish(): void {
    this.#counter.settle()
    this.#closeBucket()
    const { states, rises, tops, resets, counts } = this.#made
    const state = isCounterRise(sumOf(resets), sumOf(counts)) ? riseState.told : riseState.none
    for (let bucket = 0; bucket < states.length; bucket++) {
      if (states[bucket] !== riseState.calm) states[bucket] = state
      if (states[bucket] !== riseState.told) rises[bucket] = tops[bucket] = resets[bucket] = 0
    }
  }

  #closeBucket(): void {
    if (this.#bucket >= 0) this.#made.tops[this.#bucket] = Number(this.#counter.top)
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/**
 * A sum of decimals has as many digits as they have: the rounding errors of the addition are removed, because they pack
 * badly.
 */
function roundSums(sums: number[], values: ArrayLike<number>): void {
  const digits = findDigits(values)
  if (digits === undefined) return
  const power = 10 ** digits
  for (let place = 0; place < sums.length; place++) {
    const scaled = Math.round((sums[place] as number) * power)
    if (Number.isSafeInteger(scaled)) sums[place] = scaled / power
  }
}

/** Averages in the order of time; of hours that both have, those of `newer`. */
export function replaceHours(older: Averages, newer: Averages): Averages {
  if (Array.from(older.hours).every((hour) => hour < (newer.hours[0] as number))) return append(older, newer)
  const replaced = new Set(Array.from(newer.hours))
  const parts = [withoutHours(older, replaced), newer]
  const hours = parts.flatMap((part) => Array.from(part.hours)).sort((a, b) => a - b)
  const made = emptyLists()
  const places = parts.flatMap((part, source) =>
    Array.from(part.starts, (start, place) => ({ start, source, place })),
  )
  places.sort((a, b) => a.start - b.start)
  for (const { source, place } of places)
    for (const name of columns) made[name].push((parts[source] as Averages)[name][place] as number)
  return { type: newer.type, hours, ...made }
}

function append(older: Averages, newer: Averages): Averages {
  const both = (name: 'hours' | (typeof columns)[number]) => [
    ...Array.from(older[name]),
    ...Array.from(newer[name]),
  ]
  const made = emptyLists()
  for (const name of columns) made[name] = both(name)
  return { type: newer.type, hours: both('hours'), ...made }
}

/** Averages without some hours. */
export function withoutHours(averages: Averages, hours: ReadonlySet<number>): Averages {
  const made = emptyLists()
  for (let place = 0; place < averages.starts.length; place++) {
    if (hours.has(Math.floor((averages.starts[place] as number) / hourMs))) continue
    for (const name of columns) made[name].push(averages[name][place] as number)
  }
  const kept = Array.from(averages.hours).filter((hour) => !hours.has(hour))
  return { type: averages.type, hours: kept, ...made }
}

const writer = new ByteWriter()
const noNumbers = new Float64Array(0)

/** The stored form of averages. */
export function encodeAverages(averages: Averages): Buffer {
  writer.reset()
  writer.varint(averages.hours.length)
  writeTimes(writer, averages.hours)
  writer.varint(averages.starts.length)
  writeTimes(
    writer,
    Array.from(averages.starts, (start) => start / 60_000),
  )
  for (const name of ['samples', 'counts'] as const) writeTimes(writer, averages[name])
  writeRuns(writer, averages.uncertains)
  for (const name of ['sums', 'lows', 'highs', 'firsts', 'lasts'] as const)
    writeNumbers(writer, averages[name])
  writeRuns(writer, averages.states)
  const told = placesOf(averages.states)
  for (const name of ['rises', 'tops', 'resets'] as const)
    writeNumbers(
      writer,
      told.map((place) => averages[name][place] as number),
    )
  return seal(sealedForm.averages, writer.written(), averages.type)
}

/** A row is of a day of one tag at most: more is damage. */
const bucketsMax = 24 * 60

/**
 * Stored averages of which only the hours are decoded. Throws `BytesDamaged` if a byte has changed since it was
 * written.
 */
export class StoredAverages {
  /** As in `Averages`. */
  readonly hours: Float64Array
  readonly #type: TagType
  /** Unpacked once; a few bytes a bucket. */
  readonly #body: Buffer

  constructor(sealed: Buffer) {
    const { type, body } = unseal(sealedForm.averages, sealed)
    this.#type = type
    this.#body = Buffer.from(body)
    const reader = new ByteReader(this.#body)
    this.hours = readTimes(reader, readCount(reader))
  }

  /**
   * Reads the columns. Without their ends, `firsts`, `lasts` and those of the rise stay empty. With a room the columns are in it, and are
   * valid until it is cleared. Throws `BytesDamaged` if they have a form that is never written.
   */
  read({ withEnds, room }: { readonly withEnds: boolean; readonly room?: NumberRoom | undefined }): Averages {
    const reader = new ByteReader(this.#body, room)
    const hours = readTimes(reader, readCount(reader))
    const count = readCount(reader)
    const starts = readTimes(reader, count)
    for (let place = 0; place < count; place++) starts[place] = (starts[place] as number) * 60_000
    const samples = readTimes(reader, count)
    const counts = readTimes(reader, count)
    const uncertains = readRuns(reader, count)
    const sums = readNumbers(reader, count)
    const lows = readNumbers(reader, count)
    const highs = readNumbers(reader, count)
    const firsts = withEnds ? readNumbers(reader, count) : noNumbers
    const lasts = withEnds ? readNumbers(reader, count) : noNumbers
    const rise = withEnds ? readRises(reader, count) : noRises
    if (withEnds && !reader.isAtEnd) throw new BytesDamaged('bytes after the end')
    const type = this.#type
    return { type, hours, starts, samples, counts, uncertains, sums, lows, highs, firsts, lasts, ...rise }
  }
}

const noRises = { states: noNumbers, rises: noNumbers, tops: noNumbers, resets: noNumbers }

/** The columns of the rise; averages from before they were kept have none. */
function readRises(reader: ByteReader, count: number): RiseColumns {
  if (reader.isAtEnd) return { ...noRises, states: new Uint8Array(count).fill(riseState.unknown) }
  const states = readRuns(reader, count)
  const told = placesOf(states)
  const spread = () => {
    const read = readNumbers(reader, told.length)
    if (told.length === 0) return noNumbers
    const column = new Float64Array(count)
    for (const [place, at] of told.entries()) column[at] = read[place] as number
    return column
  }
  return { states, rises: spread(), tops: spread(), resets: spread() }
}

function placesOf(states: ArrayLike<number>): number[] {
  const told: number[] = []
  for (let place = 0; place < states.length; place++) if (states[place] === riseState.told) told.push(place)
  return told
}

function readCount(reader: ByteReader): number {
  const count = reader.varint()
  if (count > bucketsMax) throw new BytesDamaged('averages of too many buckets')
  return count
}

/** Reads averages back whole. Throws `BytesDamaged` if a byte has changed since it was written. */
export const decodeAverages = (bytes: Buffer): Averages => new StoredAverages(bytes).read({ withEnds: true })

type Lists = Record<(typeof columns)[number], number[]>

function emptyLists(): Lists {
  return {
    starts: [],
    samples: [],
    counts: [],
    uncertains: [],
    sums: [],
    lows: [],
    highs: [],
    firsts: [],
    lasts: [],
    states: [],
    rises: [],
    tops: [],
    resets: [],
  }
}

function add(list: number[], place: number, value: number): void {
  list[place] = (list[place] as number) + value
}
