import { type AverageStep, StoredAverages, stepMs } from './averages.ts'
import type { BinaryFields, RowQuery } from './binary-rows.ts'
import { BytesDamaged } from './byte-reader.ts'
import type { ChunkSamples } from './chunk.ts'
import { type HourSpan, hoursOf, touching } from './chunk-fetch.ts'
import { hourMs, hourOf } from './chunk-rows.ts'
import type { DamagedChunks } from './damaged-chunks.ts'
import { idList, type TimeSpan, type TypedTag } from './sample-rows.ts'

/** The parts of a tag's history that averages cover, and those left to its chunks. */
export interface Coverage {
  /** In the order of time. */
  readonly averages: readonly StoredAverages[]
  /** Covered by averages, in the order of time. */
  readonly spans: readonly TimeSpan[]
  /** Left to chunks. */
  readonly hours: readonly HourSpan[]
}

/** The widest step whose buckets fit into intervals; undefined if none does. */
export function averageStepOf(from: number, intervalMs: number): AverageStep | undefined {
  const fits = (step: AverageStep) => intervalMs % stepMs(step) === 0 && from % stepMs(step) === 0
  return fits(60) ? 60 : fits(1) ? 1 : undefined
}

/** Averages of a tag, and the hours of which they do not cover all chunks. */
export interface TagAverages {
  readonly averages: readonly StoredAverages[]
  readonly open: Set<number>
}

/** The averages of tags, with the hours for which they cover all chunks. One statement reads both. */
export function averagesQuery(
  tags: readonly TypedTag[],
  options: { readonly span: TimeSpan; readonly step: AverageStep; readonly damaged: DamagedChunks },
): RowQuery & { finish(): Map<number, TagAverages> } {
  const { span, step, damaged } = options
  const hours = hoursOf(span)
  const found = new Map(
    tags.map(({ id }) => [id, { averages: [] as StoredAverages[], open: new Set<number>() }]),
  )
  const ids = idList(tags)
  // A part that is not folded yet is in no average.
  const text = `
    select tag_id, hour, span, null::bytea from sample_chunks
    where part <> 0 and tag_id = any(${ids}) and ${touching(hours)}
    union all
    select tag_id, hour, span, bytes from sample_averages
    where tag_id = any(${ids}) and step = ${step} and ${touching(hours)}`
  const row = (fields: BinaryFields) => {
    const tagId = fields.number()
    const hour = fields.number()
    const length = fields.number()
    const bytes = fields.bytes()
    const ofTag = found.get(tagId)
    if (!ofTag) return
    if (!bytes) {
      for (let each = 0; each < length; each++) ofTag.open.add(hour + each)
      return
    }
    try {
      ofTag.averages.push(new StoredAverages(bytes))
    } catch (error) {
      if (!(error instanceof BytesDamaged)) throw error
      damaged.tell({ tagId, hour, span: length, part: 0, table: 'sample_averages', error })
    }
  }
  const finish = () => {
    for (const { averages } of found.values())
      averages.sort((a, b) => (a.hours[0] as number) - (b.hours[0] as number))
    return found
  }
  return { text, row, finish }
}

/** The hours of a tag that averages cover completely: all their samples are in folded chunks. */
export function coverageOf(
  averages: readonly StoredAverages[],
  open: Set<number>,
  others: readonly (ChunkSamples | undefined)[],
  {
    span,
    step,
    opened,
  }: {
    readonly span: TimeSpan
    readonly step: AverageStep
    /** Hours whose chunks are read anyway. */
    readonly opened?: ReadonlySet<number> | undefined
  },
): Coverage {
  for (const samples of others) for (const hour of hoursWith(samples)) open.add(hour)
  const { from, to } = hoursOf(span)
  const wholeTo = Math.floor(span.to / stepMs(step)) * stepMs(step)
  const spans: { from: number; to: number }[] = []
  const hours: { from: number; to: number }[] = []
  const covered = new Set<number>()
  for (const each of averages)
    for (let place = 0; place < each.hours.length; place++) {
      const hour = each.hours[place] as number
      // A second one would count twice.
      if (covered.has(hour)) open.add(hour)
      covered.add(hour)
    }
  for (let hour = from; hour < to; hour++) {
    const isOpened = opened?.has(hour) === true && !open.has(hour)
    const isCovered = covered.has(hour) && !open.has(hour) && !isOpened
    if (isCovered) join(spans, Math.max(hour * hourMs, span.from), Math.min((hour + 1) * hourMs, wholeTo))
    if (isOpened) continue
    if (!isCovered || Math.min((hour + 1) * hourMs, span.to) > wholeTo) join(hours, hour, hour + 1)
  }
  return { averages, spans, hours }
}

/** Adds a stretch behind others, as one with the last where they touch. */
function join(spans: { from: number; to: number }[], from: number, to: number): void {
  if (from >= to) return
  const last = spans.at(-1)
  if (last && last.to === from) last.to = to
  else spans.push({ from, to })
}

function* hoursWith(samples: ChunkSamples | undefined): Generator<number> {
  if (!samples) return
  const { times } = samples
  for (let place = 0; place < times.length; place++) yield hourOf(times[place] as number)
}
