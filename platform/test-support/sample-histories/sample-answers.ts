import type { telemetry as contract } from '@busbar/contract'
import { modelRise, type Risen, sumOfRise } from '../counters.ts'
import { counts, type ModelSample, type ModelTag, type ModelValue } from './sample-model.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const pointsDefault = 600
const pointsMax = 5_000

export interface Question {
  readonly tags: readonly ModelTag[]
  readonly from: number
  readonly to: number
  readonly agg: contract.Aggregate | 'auto'
  readonly points: number | undefined
  readonly intervalMs: number | undefined
}

/** A number that may differ by the rounding of floats. */
export interface About {
  readonly about: number
  readonly within: number
}

type Point = (contract.TagValue | About | string)[]

/**
 * A series as the store should answer it. An edge has several forms if the store may have the older value or not yet.
 */
export interface ExpectedSeries {
  readonly kind: contract.HistoryKind
  readonly intervalMs: number | null
  readonly points: readonly Point[]
  readonly cutAt: number | null
  readonly before: readonly (Point | null)[]
  readonly after: Point | null
}

/** Float rounding, relative to the sum of the magnitudes. */
const rounding = 1e-12

export function answerTag(tag: ModelTag, question: Question): ExpectedSeries {
  const { from, to, agg } = question
  const samples = tag.within(from, to)
  const none = { before: [null], after: null, cutAt: null } as const
  if (agg === 'raw') {
    const max = question.points ?? pointsMax
    const points = samples.slice(0, max).map((sample) => presentSample(sample, tag))
    return { ...none, kind: 'raw', intervalMs: null, points, cutAt: samples[max]?.at ?? null }
  }
  const intervalMs = intervalOf(question)
  if (agg !== 'auto')
    return { ...none, kind: 'buckets', intervalMs, points: answerBuckets(tag, samples, question, agg) }
  const max = question.points ?? pointsDefault
  if (samples.length <= max) {
    const points = samples.map((sample) => presentSample(sample, tag))
    return { ...none, ...edgesOf(tag, question), kind: 'raw', intervalMs: null, points }
  }
  if (tag.type === 'bool' || tag.type === 'string') {
    const changes = samples.filter((sample, place) =>
      tells(sample, samples[place - 1], samples[place + 1], question),
    )
    if (changes.length <= max) {
      const points = changes.map((sample) => presentSample(sample, tag))
      return { ...none, ...edgesOf(tag, question), kind: 'changes', intervalMs, points }
    }
  }
  return { ...none, kind: 'buckets', intervalMs, points: answerBuckets(tag, samples, question, 'avg') }
}

function intervalOf({ from, to, points, intervalMs }: Question): number {
  const wanted = intervalMs ?? Math.ceil((to - from) / (points ?? pointsDefault))
  return Math.max(1, wanted, Math.ceil((to - from) / pointsMax))
}

const bucketOf = (at: number, from: number, intervalMs: number) =>
  from + Math.floor((at - from) / intervalMs) * intervalMs

/** Whether a sample has a new value, begins an interval or ends the stretch. */
function tells(
  sample: ModelSample,
  before: ModelSample | undefined,
  next: ModelSample | undefined,
  question: Question,
): boolean {
  const intervalMs = intervalOf(question)
  const bucket = ({ at }: ModelSample) => bucketOf(at, question.from, intervalMs)
  if (!before || !next || bucket(before) !== bucket(sample)) return true
  return before.value !== sample.value || before.quality !== sample.quality
}

function edgesOf(tag: ModelTag, { from, to }: Question): Pick<ExpectedSeries, 'before' | 'after'> {
  const reach = Math.min(Math.max(to - from, hourMs), dayMs)
  const near = tag.within(from - reach, from).at(-1)
  const after = tag.within(to, to + reach)[0]
  const newest = tag.flushed.map((one) => (one && one.at < from && one.at > (near?.at ?? 0) ? one : near))
  return {
    before: [...new Set(newest)].map((sample) => (sample ? presentSample(sample, tag) : null)),
    after: after ? presentSample(after, tag) : null,
  }
}

function present(value: ModelValue): contract.TagValue {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
}

function presentSample(sample: ModelSample, tag: ModelTag): Point {
  const bound = counts(sample) && tag.type !== 'bool' && tag.type !== 'string' ? Number(sample.value) : null
  const point: Point = [sample.at, present(sample.value), bound, bound]
  return sample.quality === 'good' ? point : [...point, sample.quality]
}

function answerBuckets(
  tag: ModelTag,
  samples: readonly ModelSample[],
  question: Question,
  agg: Exclude<Question['agg'], 'auto' | 'raw'>,
): Point[] {
  const intervalMs = intervalOf(question)
  const buckets = Map.groupBy(samples, ({ at }) => bucketOf(at, question.from, intervalMs))
  const isCounter = agg === 'delta' && tag.type !== 'bool' && tag.type !== 'string'
  const risen = isCounter
    ? Map.groupBy(partsOf(tag, question), ({ at }) => bucketOf(at, question.from, intervalMs))
    : undefined
  return Array.from(buckets, ([at, inside]) => {
    const known = inside.filter(counts)
    const numbers = tag.type === 'string' ? [] : known.map(({ value }) => Number(value))
    const low = numbers.length > 0 ? numbers.reduce((one, other) => Math.min(one, other)) : null
    const high = numbers.length > 0 ? numbers.reduce((one, other) => Math.max(one, other)) : null
    const value =
      risen && known.length > 0 ? sumOf(tag, risen.get(at) ?? []) : aggregate(tag, known, numbers, agg)
    const point: Point = [at, value, low, high]
    if (known.length === 0) return [...point.slice(0, 2), null, null, 'bad']
    return known.some(({ quality }) => quality === 'uncertain') ? [...point, 'uncertain'] : point
  })
}

function aggregate(
  tag: ModelTag,
  known: readonly ModelSample[],
  numbers: readonly number[],
  agg: Exclude<Question['agg'], 'auto' | 'raw'>,
): contract.TagValue | About {
  if (agg === 'count') return known.length
  const first = known[0]
  const last = known.at(-1)
  if (!first || !last) return null
  if (agg === 'first') return present(first.value)
  if (agg === 'last' || tag.type === 'bool' || tag.type === 'string') return present(last.value)
  if (tag.type === 'int64')
    return aggregateIntegers(
      known.map(({ value }) => value as bigint),
      agg,
    )
  const within = numbers.reduce((sum, number) => sum + Math.abs(number), 0) * rounding
  const sum = numbers.reduce((one, other) => one + other, 0)
  if (agg === 'avg') return { about: sum / numbers.length, within: within / numbers.length }
  if (agg === 'sum') return { about: sum, within }
  if (agg === 'min') return numbers.reduce((one, other) => Math.min(one, other))
  return numbers.reduce((one, other) => Math.max(one, other))
}

function aggregateIntegers(
  values: readonly bigint[],
  agg: Exclude<Question['agg'], 'auto' | 'raw'>,
): contract.TagValue | About {
  const sum = values.reduce((one, other) => one + other, 0n)
  const about = Number(sum) / values.length
  if (agg === 'avg') return { about, within: Math.abs(about) * rounding }
  if (agg === 'sum') return present(sum)
  const isLess = agg === 'min'
  return present(values.reduce((one, other) => (one < other === isLess ? one : other)))
}

/**
 * Statistics as the store should answer them of a machine without gaps; several if it may have the older value or not
 * yet.
 */
export function answerStatistics(
  tag: ModelTag,
  { from, to, now, retiredAt }: { from: number; to: number; now: number; retiredAt: number },
): Record<string, unknown>[] {
  const inside = tag.within(from, to)
  const known = inside.filter(counts)
  const isState = tag.type === 'bool' || tag.type === 'string'
  const near = tag.within(from - dayMs, from).at(-1)
  const befores = tag.flushed.map((one) => (one && one.at < from && one.at > (near?.at ?? 0) ? one : near))
  const at = (sample: ModelSample | undefined) =>
    sample ? { value: present(sample.value), at: sample.at, withinMs: 0 } : null
  const least = (isBetter: (one: ModelValue, other: ModelValue) => boolean) =>
    isState
      ? null
      : at(
          known.reduce<ModelSample | undefined>(
            (best, one) => (best && !isBetter(one.value, best.value) ? best : one),
            undefined,
          ),
        )
  const plain = {
    samples: inside.length,
    count: known.length,
    min: least((one, other) => (one as number) < (other as number)),
    max: least((one, other) => (one as number) > (other as number)),
    first: at(known[0]),
    last: at(known.at(-1)),
    mean: isState || known.length === 0 ? null : meanOf(known.map(({ value }) => [Number(value), 1])),
  }
  const until = Math.max(from, Math.min(to, now, retiredAt))
  return [...new Set(befores)].map((before) => {
    const all = before ? [before, ...inside] : inside
    const held = all.flatMap((sample, place) => {
      const ms = Math.min(all[place + 1]?.at ?? until, until) - Math.max(sample.at, from)
      return ms > 0 ? [{ sample, ms }] : []
    })
    const good = held.filter(({ sample }) => counts(sample))
    const total = (some: typeof held) => some.reduce((sum, { ms }) => sum + ms, 0)
    return {
      ...plain,
      timeMean:
        isState || good.length === 0
          ? null
          : meanOf(good.map(({ sample, ms }) => [Number(sample.value), ms])),
      delta:
        isState || known.length === 0
          ? null
          : riseOf(tag, { from, to: Math.max(from, Math.min(to, now, retiredAt)) }, known.length),
      states: isState ? statesOf(held) : null,
      knownMs: total(good),
      badMs: total(held) - total(good),
      gapMs: 0,
    }
  })
}

function meanOf(weighted: readonly (readonly [number: number, weight: number])[]): About {
  const whole = weighted.reduce((sum, [, weight]) => sum + weight, 0)
  const sum = (of: (number: number) => number) =>
    weighted.reduce((one, [number, weight]) => one + of(number) * weight, 0) / whole
  return { about: sum((number) => number), within: sum(Math.abs) * rounding }
}

function partsOf(tag: ModelTag, { from, to }: { readonly from: number; readonly to: number }): Risen[] {
  const readings = tag
    .sorted()
    .map((sample) => ({ at: sample.at, value: counts(sample) ? (sample.value as number | bigint) : null }))
  return modelRise(readings, from, to)
}

function sumOf({ type }: ModelTag, parts: readonly Risen[]): contract.TagValue | About {
  const sum = sumOfRise(parts, type === 'int64')
  if (typeof sum === 'bigint') return present(sum)
  return { about: sum, within: sumOfMagnitudes(parts) * rounding }
}

/** Each part is the difference of two values of any size. */
const sumOfMagnitudes = (parts: readonly Risen[]): number =>
  parts.reduce((sum, { amount }) => sum + Math.abs(Number(amount)) + 1e6, 0)

/** Null of a variable that falls too often for a counter. */
function riseOf(
  tag: ModelTag,
  span: { readonly from: number; readonly to: number },
  values: number,
): unknown {
  const parts = partsOf(tag, span)
  const resets = parts.filter(({ isReset }) => isReset).length
  return resets > Math.max(1, values / 20) ? null : { value: sumOf(tag, parts), resets }
}

/** The states, keyed by their values; each with its time, and how often it began. */
function statesOf(held: readonly { readonly sample: ModelSample; readonly ms: number }[]): unknown {
  const states = new Map<ModelValue, { ms: number; times: number }>()
  for (const [place, { sample, ms }] of held.entries()) {
    if (!counts(sample)) continue
    const before = held[place - 1]
    const goesOn = before && counts(before.sample) && before.sample.value === sample.value
    const state = states.get(sample.value) ?? { ms: 0, times: 0 }
    states.set(sample.value, { ms: state.ms + ms, times: state.times + (goesOn ? 0 : 1) })
  }
  return Array.from(states, ([value, told]) => ({ value, ...told })).sort((a, b) => b.ms - a.ms)
}

/** The means of the last hour; undefined where samples were doubled or ahead of the clock, which may count otherwise. */
export function answerSpark(tag: ModelTag, now: number): (About | null)[] | undefined {
  const bucketMs = 150_000
  const last = Math.floor(now / bucketMs)
  const samples = tag.within((last - 24) * bucketMs, Number.POSITIVE_INFINITY)
  if (samples.some(({ at, receivedAt }) => at > receivedAt || tag.doubled.has(at))) return undefined
  return Array.from({ length: 24 }, (_, place) => {
    const from = (last - 23 + place) * bucketMs
    const inside = tag.within(from, from + bucketMs)
    const numbers = inside
      .filter((one) => counts(one) && typeof one.value !== 'string')
      .map(({ value }) => Number(value))
    if (numbers.length === 0) return null
    const size = numbers.reduce((sum, number) => sum + Math.abs(number), 0) / numbers.length
    return { about: numbers.reduce((one, other) => one + other, 0) / numbers.length, within: size * rounding }
  })
}
