import { type Counters, type TagSeries, type Telemetry, TooManySamples } from '../telemetry/index.ts'
import type { ExportWish } from './export-wish.ts'
import { Intervals } from './intervals.ts'
import { ColumnTaker, columnOf, type SampleColumn } from './sample-column.ts'

export type SampleSource = Pick<Telemetry, 'readSamples' | 'readBuckets'>

/** Samples, or values of intervals, that one window should hold: that bounds the memory. */
const windowSamples = 150_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const lengthMin = 60_000
const lengthMax = 400 * dayMs
/** Growth limit of a window over the one before: a quiet time may be followed by a busy one. */
const growthMax = 8

/** A window of time with the samples of some variables in it: of each the columns of its versions. */
export interface SampleWindow {
  readonly to: number
  /** Its values are those of intervals. */
  readonly isComputed: boolean
  readonly columns: readonly (readonly SampleColumn[])[]
}

/** Callbacks of reading. */
export interface ReadTold {
  readonly signal?: AbortSignal | undefined
  /** Stretches that cannot be read. */
  damaged: number
}

/** Reads variables window by window; a window's columns are valid until the next one is requested. */
export function readWindows(
  source: SampleSource,
  series: readonly TagSeries[],
  wish: ExportWish,
  told: ReadTold,
): AsyncGenerator<SampleWindow> {
  return wish.interval === undefined
    ? readRaw(source, series, wish, told)
    : readIntervals(source, series, { ...wish, interval: wish.interval }, told)
}

async function* readRaw(
  source: SampleSource,
  series: readonly TagSeries[],
  { from, to }: ExportWish,
  told: ReadTold,
): AsyncGenerator<SampleWindow> {
  const takers = series.map(({ versions }) => versions.map(({ type }) => new ColumnTaker(type)))
  const tags = series.flatMap(({ versions }, place) =>
    versions.map(({ id, type }, version) => ({
      id,
      type,
      taker: (takers[place] as ColumnTaker[])[version] as ColumnTaker,
    })),
  )
  let length = 6 * hourMs
  for (let start = from; start < to; ) {
    const end = Math.min(alignedEnd(start, length), to)
    for (const { taker } of tags) taker.clear()
    // A window of the least length is read whatever it holds.
    const samplesMax = length > lengthMin ? 3 * windowSamples : undefined
    try {
      const damaged = await source.readSamples(
        tags,
        { from: start, to: end },
        { signal: told.signal, samplesMax },
      )
      told.damaged += damaged.length
    } catch (error) {
      if (!(error instanceof TooManySamples)) throw error
      length = Math.max(lengthMin, length / 4)
      continue
    }
    const count = tags.reduce((sum, { taker }) => sum + taker.count, 0)
    yield { to: end, isComputed: false, columns: takers }
    length = nextLength(length, count)
    start = end
  }
}

async function* readIntervals(
  source: SampleSource,
  series: readonly TagSeries[],
  wish: ExportWish & { readonly interval: NonNullable<ExportWish['interval']> },
  told: ReadTold,
): AsyncGenerator<SampleWindow> {
  const intervals = new Intervals(wish.interval, wish.timezone)
  const tags = series.flatMap(({ versions, hasWords }) =>
    // A mean of states has no meaning, but the last one is a state.
    versions.map(({ id, type }) => ({
      id,
      type,
      agg: hasWords && wish.agg === 'avg' ? ('last' as const) : wish.agg,
    })),
  )
  const perWindow = Math.max(1, Math.floor(windowSamples / 10 / tags.length))
  const counters: Counters = new Map()
  for (let start = intervals.startOf(wish.from); start < wish.to; ) {
    const window = intervals.windowFrom(start, perWindow)
    const to = Math.min(window.to, wish.to)
    const query = { from: start, to, signal: told.signal }
    const rows = await source.readBuckets(tags, query, window.intervalMs, counters)
    yield {
      to,
      isComputed: true,
      columns: series.map(({ versions }) =>
        versions.map(({ id, type }) => columnOf(rows.get(id) ?? [], type === 'bool' && wish.agg !== 'count')),
      ),
    }
    start = window.to
  }
}

/** The end of a window at a full hour or day, where chunks end, so that none is read twice. */
function alignedEnd(start: number, length: number): number {
  const step = length >= 2 * dayMs ? dayMs : hourMs
  const end = start + length
  const aligned = Math.floor(end / step) * step
  return aligned > start ? aligned : end
}

function nextLength(length: number, count: number): number {
  const wanted = count === 0 ? length * growthMax : (length * windowSamples) / count
  return Math.min(Math.max(wanted, lengthMin), length * growthMax, lengthMax)
}
