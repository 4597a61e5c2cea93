import { qualityNumber, type TagType } from '../tag-type.ts'
import type { ChunkSamples, ChunkValues } from './chunk.ts'
import { type ChunkPart, hourMs, hourOf } from './chunk-rows.ts'
import { isStampKept, type SampleSink, type SampleValue } from './log-row.ts'
import { mergeSamples, placeOf, sliceSamples } from './merge-samples.ts'

const segmentBits = 16
const segmentSize = 1 << segmentBits
const placeMask = segmentSize - 1
const none = -1
const lateBit = 1
const filledBit = 2
const stampBit = 4
const qualityShift = 3
const qualities = [qualityNumber.bad, qualityNumber.uncertain, qualityNumber.good, qualityNumber.stale]
const qualityCode = new Map<number, number>(qualities.map((number, code) => [number, code]))
/** This number of characters of text takes about as much memory as a sample. */
const charactersPerSample = 16
const stampsPerSample = 4

/** 21 bytes a sample. Places count through all segments. */
class Segment {
  readonly times = new Float64Array(segmentSize)
  readonly #slots = new ArrayBuffer(segmentSize * 8)
  /** The values of numbers and switches; for texts the index among them. */
  readonly numbers = new Float64Array(this.#slots)
  /** The same memory, for 64-bit whole numbers. */
  readonly integers = new BigInt64Array(this.#slots)
  readonly flags = new Uint8Array(segmentSize)
  /** The place of the sample before this one of the same tag. */
  readonly before = new Int32Array(segmentSize)
}

/** The samples of one tag, the newest first. */
interface Chain {
  readonly type: TagType
  last: number
  count: number
}

/**
 * Samples that are in no chunk yet, in the order of their arrival, and a chain of them for each tag. They are added and
 * never changed, so that a reader may take its time.
 */
export class TailGeneration implements SampleSink {
  readonly #segments: Segment[] = []
  readonly #chains = new Map<number, Chain>()
  readonly #texts: string[] = []
  readonly #stamps = new Map<number, number>()
  readonly #hours = new Set<number>()
  #lastHour = Number.NaN
  #characters = 0
  count = 0

  /** Its memory, in samples of numbers. */
  get size(): number {
    return (
      this.count + Math.ceil(this.#characters / charactersPerSample) + this.#stamps.size * stampsPerSample
    )
  }

  /** The hours since 1970 of its samples. */
  get hours(): ReadonlySet<number> {
    return this.#hours
  }

  add(
    tagId: number,
    type: TagType,
    at: number,
    _receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
    stamp: number,
  ): void {
    const place = this.count++
    const index = place & placeMask
    if (index === 0) this.#segments.push(new Segment())
    const segment = this.#segments[place >>> segmentBits] as Segment
    segment.times[index] = at
    let flags = ((qualityCode.get(quality) ?? 0) << qualityShift) | (late ? lateBit : 0)
    if (value !== null) {
      flags |= filledBit
      if (typeof value === 'number') segment.numbers[index] = value
      else if (typeof value === 'bigint') segment.integers[index] = value
      else if (typeof value === 'boolean') segment.numbers[index] = value ? 1 : 0
      else {
        segment.numbers[index] = this.#texts.push(value) - 1
        this.#characters += value.length
      }
    }
    if (stamp !== at && isStampKept(stamp, at)) {
      flags |= stampBit
      this.#stamps.set(place, stamp)
    }
    segment.flags[index] = flags
    const chain = this.#chains.get(tagId)
    segment.before[index] = chain?.last ?? none
    if (chain) {
      chain.last = place
      chain.count++
    } else {
      this.#chains.set(tagId, { type, last: place, count: 1 })
    }
    const hour = hourOf(at)
    if (hour !== this.#lastHour) {
      this.#lastHour = hour
      this.#hours.add(hour)
    }
  }

  /** The samples of a tag with times from `from` on and before `to`, in the order of their times; undefined: none. */
  read(tagId: number, from: number, to: number): ChunkSamples | undefined {
    const chain = this.#chains.get(tagId)
    if (!chain) return undefined
    const places = this.#placesOf(chain, from, to)
    return places.length === 0 ? undefined : mergeSamples([this.#pick(chain.type, places)])
  }

  /** All samples as parts of hours, in the order of the tags. */
  *parts(): Generator<ChunkPart> {
    for (const tagId of [...this.#chains.keys()].sort((a, b) => a - b)) {
      const samples = this.read(tagId, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
      if (!samples) continue
      for (let from = 0; from < samples.times.length; ) {
        const hour = hourOf(samples.times[from] as number)
        const to = placeOf(samples.times, (hour + 1) * hourMs)
        yield { tagId, hour, span: 1, samples: sliceSamples(samples, from, to) }
        from = to
      }
    }
  }

  /** In the order of arrival. */
  #placesOf({ last, count }: Chain, from: number, to: number): Int32Array {
    const places = new Int32Array(count)
    let begin = count
    for (let place = last; place !== none; ) {
      const segment = this.#segments[place >>> segmentBits] as Segment
      const index = place & placeMask
      const at = segment.times[index] as number
      if (at >= from && at < to) places[--begin] = place
      place = segment.before[index] as number
    }
    return places.subarray(begin)
  }

  #pick(type: TagType, places: Int32Array): ChunkSamples {
    const count = places.length
    const times = new Float64Array(count)
    const found = new Uint16Array(count)
    const lates = new Uint16Array(count)
    const filled = new Uint16Array(count)
    const stamps = new Map<number, number>()
    const valued = new Int32Array(count)
    let values = 0
    for (let out = 0; out < count; out++) {
      const place = places[out] as number
      const segment = this.#segments[place >>> segmentBits] as Segment
      const index = place & placeMask
      const flags = segment.flags[index] as number
      times[out] = segment.times[index] as number
      found[out] = qualities[flags >>> qualityShift] as number
      lates[out] = flags & lateBit
      if ((flags & filledBit) !== 0) {
        filled[out] = 1
        valued[values++] = place
      }
      if ((flags & stampBit) !== 0) stamps.set(out, this.#stamps.get(place) as number)
    }
    const column = this.#column(type, valued.subarray(0, values))
    return { times, qualities: found, lates, filled, column, stamps }
  }

  #column(type: TagType, places: Int32Array): ChunkValues {
    const segmentOf = (place: number) => this.#segments[place >>> segmentBits] as Segment
    if (type === 'int64') {
      const values = new BigInt64Array(places.length)
      for (let out = 0; out < values.length; out++) {
        const place = places[out] as number
        values[out] = segmentOf(place).integers[place & placeMask] as bigint
      }
      return { type, values }
    }
    const values = new Float64Array(places.length)
    for (let out = 0; out < values.length; out++) {
      const place = places[out] as number
      values[out] = segmentOf(place).numbers[place & placeMask] as number
    }
    return type === 'string'
      ? { type, values: Array.from(values, (text) => this.#texts[text] as string) }
      : { type, values }
  }
}
