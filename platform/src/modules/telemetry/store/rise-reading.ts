import type { MeterChange } from '@busbar/contract'
import type { TagType } from '../tag-type.ts'
import { type Averages, stepMs } from './averages.ts'
import type { ChunkSamples } from './chunk.ts'
import { hourOf } from './chunk-rows.ts'
import { CounterRise, riseState } from './counter-rise.ts'
import type { DamagedSpan } from './damaged-chunks.ts'
import type { OpenedHours, SampleReads, Taking } from './sample-reads.ts'
import { TooManySamples } from './sample-reads.ts'
import type { TypedTag } from './sample-rows.ts'
import type { SampleTaker } from './sample-taker.ts'

const dayMs = 86_400_000
/** A value that returns is told by the two before it: with fewer values before a stretch, those of earlier days count. */
const valuesBeforeMin = 4
const roundsMax = 4
/** Samples that are read to find the next two values. */
const samplesAfter = 20
/** More samples are not read only to tell a rise exactly. */
const exactSamplesMax = 500_000
/** Readings with averages before samples alone are read. */
const readingsMax = 3

/** Takes samples, and counts the rise of a counter in them. */
export interface RiseTaker extends SampleTaker {
  readonly rise: CounterRise | undefined
  /** The hours, since 1970, whose averages do not tell the rise exactly. */
  readonly hoursToRead: ReadonlySet<number>
}

/** A tag that may be a counter, with the meters that were replaced. */
export interface CounterTag extends TypedTag {
  readonly resets?: readonly MeterChange[] | undefined
}

/** Whether values of a type can rise. */
export const isCounterType = (type: TagType): boolean => type === 'float64' || type === 'int64'

type RiseTaking = Taking & { readonly taker: RiseTaker }

/** The changes of a reading after its first. */
export interface RiseReadOptions {
  readonly opened?: OpenedHours
  readonly averages?: undefined
  readonly samplesMax?: number
}

interface Reading {
  readonly reads: SampleReads
  readonly signal?: AbortSignal | undefined
}

/**
 * The hours whose averages do not tell a rise exactly. A variable that falls often in most of its time is not a counter: no
 * samples of them are read for statistics (rules/telemetry.md: rise of a counter).
 */
export class UnclearHours {
  readonly #hours = new Set<number>()
  #values = 0
  #falling = 0

  take({ starts, counts, states }: Averages, place: number, isExact: boolean): void {
    const count = counts[place] as number
    this.#values += count
    if (isExact) return
    if (states[place] === riseState.none) this.#falling += count
    this.#hours.add(hourOf(starts[place] as number))
  }

  get isGauge(): boolean {
    return this.#falling > this.#values / 2
  }

  get hours(): ReadonlySet<number> {
    return this.isGauge ? noHours : this.#hours
  }
}

const noHours: ReadonlySet<number> = new Set()

/** Only feeds a counter. */
class CounterFeed implements RiseTaker {
  readonly keepsNothing = true
  readonly needsEnds = true
  readonly rise: CounterRise
  readonly hoursToRead = new Set<number>()
  values = 0

  constructor(rise: CounterRise) {
    this.rise = rise
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    this.values += this.rise.takeBlock(samples, from, to)
  }

  takeAverages(averages: Averages, from: number, to: number): void {
    for (let place = from; place < to; place++) {
      this.values += averages.counts[place] as number
      if (!this.rise.takeBucket(averages, place, stepMs(60)))
        this.hoursToRead.add(hourOf(averages.starts[place] as number))
    }
  }
}

/** The begin of the day before the day of an instant, in UTC: values from then on tell a counter, unless they are few. */
export const counterFrom = (at: number): number => Math.floor(at / dayMs) * dayMs - dayMs

/** Whether a counter that was read from `counterFrom` on needs values of earlier days as well. */
export const hasFewBefore = (taker: { readonly valuesBefore: number } | undefined): boolean =>
  (taker?.valuesBefore ?? 0) < valuesBeforeMin

/**
 * Counters as they are at an instant: fed with the values of its day and the day before, in UTC. Where these are few, whole
 * days before them count as well.
 */
export async function openCounters(
  { reads, signal }: Reading,
  tags: readonly CounterTag[],
  at: number,
): Promise<Map<number, CounterRise>> {
  if (tags.length === 0) return new Map()
  const dayBefore = counterFrom(at)
  const feeds = await feed({ reads, signal }, tags, { from: dayBefore, to: at })
  const counters = new Map(Array.from(feeds, ([id, { rise }]) => [id, rise]))
  const few = tags.filter(({ id }) => (feeds.get(id)?.values ?? 0) < valuesBeforeMin)
  for (const [from, some] of await findEarlier({ reads, signal }, few, { feeds, before: dayBefore }))
    for (const [id, { rise }] of await feed({ reads, signal }, some, { from, to: at })) counters.set(id, rise)
  return counters
}

async function feed(
  { reads, signal }: Reading,
  tags: readonly CounterTag[],
  span: { readonly from: number; readonly to: number },
): Promise<Map<number, CounterFeed>> {
  const make = () =>
    tags.map((tag) => ({
      ...tag,
      taker: new CounterFeed(new CounterRise(tag.type === 'int64', tag.resets)),
    }))
  const { takings } = await readRises(make, (takings, options) =>
    reads.read(takings, span, { signal, averages: 60, ...options }),
  )
  return new Map(takings.map(({ id, taker }) => [id, taker]))
}

/** The days from which each tag has enough values, with these tags; those without earlier values are left out. */
async function findEarlier(
  { reads, signal }: Reading,
  tags: readonly CounterTag[],
  { feeds, before }: { readonly feeds: ReadonlyMap<number, CounterFeed>; readonly before: number },
): Promise<Map<number, CounterTag[]>> {
  const found = new Map<number, number>()
  let open = new Map(tags.map((tag) => [tag, { before, values: feeds.get(tag.id)?.values ?? 0 }]))
  for (let round = 0; round < roundsMax && open.size > 0; round++) {
    const next: typeof open = new Map()
    for (const [end, some] of Map.groupBy(open, ([, one]) => one.before)) {
      const { points } = await reads.readNearest(
        some.map(([tag]) => tag),
        { from: 0, to: end },
        { end: 'last', signal },
      )
      const days = Map.groupBy(
        some,
        ([{ id }]) => Math.floor((points.get(id)?.at ?? Number.NaN) / dayMs) * dayMs,
      )
      for (const [day, ofDay] of days) {
        if (Number.isNaN(day)) continue
        const read = await feed(
          { reads, signal },
          ofDay.map(([tag]) => tag),
          { from: day, to: end },
        )
        for (const [tag, { values }] of ofDay) {
          found.set(tag.id, day)
          const all = values + (read.get(tag.id)?.values ?? 0)
          if (all < valuesBeforeMin) next.set(tag, { before: day, values: all })
        }
      }
    }
    open = next
  }
  return Map.groupBy(
    tags.filter(({ id }) => found.has(id)),
    ({ id }) => found.get(id) as number,
  )
}

/** Ends the counters of a stretch: the values behind it decide about its last ones. */
export async function closeCounters(
  { reads, signal }: Reading,
  takings: readonly RiseTaking[],
  to: number,
): Promise<void> {
  const open = takings.flatMap(({ id, type, taker }) =>
    taker.rise?.isOpen ? [{ id, type, rise: taker.rise }] : [],
  )
  if (open.length > 0) {
    const behind = { from: to, to: to + 400 * dayMs }
    const feeds = open.map(({ id, type, rise }) => ({ id, type, taker: new CounterFeed(rise) }))
    await reads.read(feeds, behind, { signal, firstOfEach: samplesAfter })
  }
  for (const { taker } of takings) taker.rise?.settle()
}

/**
 * Reads with averages, and once more, by samples, those hours whose averages do not tell the rise exactly. Where there are
 * too many samples, the rise is that of the averages.
 */
export async function readRises<T extends RiseTaking>(
  make: () => T[],
  read: (takings: T[], options: RiseReadOptions) => Promise<DamagedSpan[]>,
  opensHours = true,
): Promise<{ readonly takings: T[]; readonly damaged: readonly DamagedSpan[] }> {
  const opened = new Map<number, Set<number>>()
  let best: { takings: T[]; damaged: readonly DamagedSpan[] } | undefined
  for (let reading = 0; ; reading++) {
    const takings = make()
    try {
      const options: RiseReadOptions =
        reading === 0
          ? {}
          : { samplesMax: exactSamplesMax, ...(reading < readingsMax ? { opened } : { averages: undefined }) }
      best = { takings, damaged: await read(takings, options) }
    } catch (error) {
      if (!(error instanceof TooManySamples) || !best) throw error
      return best
    }
    if (!opensHours || reading === readingsMax || !open(takings, opened)) return best
  }
}

/** Adds the hours that takers want to be read by samples; whether there are new ones. */
function open(takings: readonly RiseTaking[], opened: Map<number, Set<number>>): boolean {
  let isNew = false
  for (const { id, taker } of takings) {
    const known = opened.get(id) ?? new Set<number>()
    for (const hour of taker.hoursToRead) {
      if (known.has(hour)) continue
      isNew = true
      known.add(hour)
    }
    if (known.size > 0) opened.set(id, known)
  }
  return isNew
}
