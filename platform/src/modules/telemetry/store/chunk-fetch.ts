import type pg from 'pg'
import type { Slices } from '../../../kernel/slices.ts'
import { type BinaryFields, type RowQuery, readRowsOfEach } from './binary-rows.ts'
import { dayStartOf, endOf, foldedPart, hourOf, hoursPerDay, startOf } from './chunk-rows.ts'
import { idList, type TimeSpan, type TypedTag } from './sample-rows.ts'

/** A chunk as it is stored. */
export interface StoredChunk {
  readonly tagId: number
  readonly hour: number
  readonly span: number
  readonly part: number
  readonly count: number
  readonly bytes: Buffer
}

/** Hours since 1970, `to` excluded. */
export interface HourSpan {
  readonly from: number
  readonly to: number
}

/** The samples are more than may be read at once. */
export class TooManySamples extends Error {
  override name = 'TooManySamples'
}

const hourMax = 2 ** 31 - 1 - hoursPerDay
const clampHour = (hour: number): number => Math.min(Math.max(hour, 0), hourMax)

/** The hours that a stretch of time touches. */
export const hoursOf = ({ from, to }: TimeSpan): HourSpan => ({
  from: clampHour(hourOf(from)),
  to: clampHour(hourOf(Math.ceil(to) - 1) + 1),
})

/** More different stretches than these are read as one that holds all of them. */
const spansMax = 24

/** A query of chunks. */
export interface ChunksQuery extends RowQuery {
  /** The chunks that it found of each tag, in order, when all rows were taken. */
  finish(): Map<number, StoredChunk[]>
}

/**
 * The chunks that touch the hours wanted of each tag, those of each in order. A chunk of a day may touch others as well.
 * Throws `TooManySamples` where those that lie within `span` hold more than `countMax`. Undefined: none are wanted.
 */
export function chunksQuery(
  wanted: ReadonlyMap<TypedTag, readonly HourSpan[]>,
  options: { readonly span: TimeSpan; readonly countMax?: number | undefined },
): ChunksQuery | undefined {
  const { span, countMax = Number.POSITIVE_INFINITY } = options
  const queries = queriesOf(wanted)
  if (queries.length === 0) return undefined
  const found = new Map<number, StoredChunk[]>()
  let count = 0
  const row = (fields: BinaryFields) => {
    const chunk = chunkOf(fields)
    if (startOf(chunk) >= span.from && endOf(chunk) <= span.to) count += chunk.count
    if (count > countMax) throw new TooManySamples()
    collect(found, chunk)
  }
  return { text: queries.join(' union all '), row, finish: () => inOrder(found) }
}

/** Reads the chunks of `chunksQuery`. */
export async function fetchChunks(
  client: pg.ClientBase,
  wanted: ReadonlyMap<TypedTag, readonly HourSpan[]>,
  options: { readonly span: TimeSpan; readonly countMax?: number | undefined; readonly slices: Slices },
): Promise<Map<number, StoredChunk[]>> {
  const query = chunksQuery(wanted, options)
  if (!query) return new Map()
  await readRowsOfEach(client, [query], options.slices)
  return query.finish()
}

const chunkColumns = 'tag_id, hour, span, part, count, bytes'

/** A row of `chunkColumns`. */
const chunkOf = (fields: BinaryFields): StoredChunk => ({
  tagId: fields.number(),
  hour: fields.number(),
  span: fields.number(),
  part: fields.number(),
  count: fields.number(),
  bytes: fields.bytes() as Buffer,
})

/** The folded chunks that hold some hours of tags. Throws `TooManySamples` where they hold more than `countMax`. */
export async function fetchHours(
  client: pg.ClientBase,
  wanted: ReadonlyMap<number, ReadonlySet<number>>,
  {
    countMax = Number.POSITIVE_INFINITY,
    slices,
  }: { readonly countMax?: number | undefined; readonly slices: Slices },
): Promise<Map<number, StoredChunk[]>> {
  const found = new Map<number, StoredChunk[]>()
  const hours = new Set([...wanted.values()].flatMap((some) => [...some]))
  if (hours.size === 0) return found
  let count = 0
  const ids = idList([...wanted.keys()].map((id) => ({ id })))
  // One of an hour, or of its day.
  const begins = new Set([...hours].flatMap((hour) => [hour, dayStartOf(hour)]))
  const text = `select ${chunkColumns} from sample_chunks
    where tag_id = any(${ids}) and hour in (${[...begins].join(',')}) and part = ${foldedPart}`
  const row = (fields: BinaryFields) => {
    const chunk = chunkOf(fields)
    if (hoursAmong([chunk], wanted.get(chunk.tagId)).size === 0) return
    count += chunk.count
    if (count > countMax) throw new TooManySamples()
    collect(found, chunk)
  }
  await readRowsOfEach(client, [{ text, row }], slices)
  return found
}

/** Of some hours those that chunks hold. */
export const hoursAmong = (
  chunks: readonly StoredChunk[],
  hours: ReadonlySet<number> = new Set(),
): ReadonlySet<number> =>
  new Set([...hours].filter((each) => chunks.some(({ hour, span }) => hour <= each && each < hour + span)))

function collect(found: Map<number, StoredChunk[]>, chunk: StoredChunk): void {
  const list = found.get(chunk.tagId)
  if (list) list.push(chunk)
  else found.set(chunk.tagId, [chunk])
}

/** Each tag's chunks in the order of time and arrival; one of a day may have been found by two of its hours. */
function inOrder(found: Map<number, StoredChunk[]>): Map<number, StoredChunk[]> {
  for (const [tagId, list] of found) found.set(tagId, inTime(list))
  return found
}

/** Chunks of one tag in the order of time and arrival, each once. */
export function inTime(list: readonly StoredChunk[]): StoredChunk[] {
  const sorted = list.toSorted((a, b) => a.hour - b.hour || a.part - b.part || a.span - b.span)
  return sorted.filter((chunk, place) => !isSame(chunk, sorted[place - 1]))
}

/**
 * Chunks in the order in which their samples arrived. Rows of version 1.5 may be moved into an hour after its day was folded
 * without them, and yet came before all others.
 */
export const inArrival = (chunks: readonly StoredChunk[]): StoredChunk[] =>
  chunks.toSorted((a, b) => a.part - b.part)

const isSame = (a: StoredChunk, b: StoredChunk | undefined): boolean =>
  a.hour === b?.hour && a.part === b.part && a.span === b.span

/** One query for all tags with the same hours: with its bounds as constants it reads few partitions. */
function queriesOf(wanted: ReadonlyMap<TypedTag, readonly HourSpan[]>): string[] {
  const tagsOf = new Map<string, { hours: HourSpan; tags: TypedTag[] }>()
  const widest = { from: Number.POSITIVE_INFINITY, to: 0 }
  const tags: TypedTag[] = []
  for (const [tag, spans] of wanted) {
    if (spans.length > 0) tags.push(tag)
    for (const hours of spans) {
      widest.from = Math.min(widest.from, hours.from)
      widest.to = Math.max(widest.to, hours.to)
      const key = `${hours.from}-${hours.to}`
      const group = tagsOf.get(key)
      if (group) group.tags.push(tag)
      else tagsOf.set(key, { hours, tags: [tag] })
    }
  }
  if (tagsOf.size > spansMax) return [queryOf({ hours: widest, tags })]
  return [...tagsOf.values()].map(queryOf)
}

function queryOf({ hours, tags }: { hours: HourSpan; tags: readonly TypedTag[] }): string {
  return `select ${chunkColumns} from sample_chunks
    where tag_id = any(${idList(tags)}) and ${touching(hours)}`
}

/** The condition that a chunk touches some hours. */
export const touching = ({ from, to }: HourSpan): string =>
  `hour > ${from - hoursPerDay} and hour < ${to} and hour + span > ${from}`

/** The chunks that may hold the sample next to a time, no further away than `span`: the last before its end, or the first. */
export function nearestChunksQuery(
  tags: readonly TypedTag[],
  { span, end }: { readonly span: TimeSpan; readonly end: 'first' | 'last' },
): ChunksQuery {
  const { from, to } = hoursOf(span)
  const edge = end === 'last' ? to - 1 : from
  const ofTag = `from sample_chunks where tag_id = tag.id and`
  const beyond =
    end === 'last'
      ? (length: number) => `hour >= ${from - length + 1} and hour + span <= ${edge} and span = ${length}
                             and part = 0 order by hour desc limit 1`
      : (length: number) =>
          `hour > ${edge} and hour < ${to} and span = ${length} and part = 0 order by hour limit 1`
  // Folded chunks of one span do not overlap, so of those the next one is enough.
  const text = `select near.* from unnest(${idList(tags)}) as tag (id) cross join lateral (
    (select ${chunkColumns} ${ofTag} ${touching({ from: edge, to: edge + 1 })})
    union all (select ${chunkColumns} ${ofTag} ${beyond(1)})
    union all (select ${chunkColumns} ${ofTag} ${beyond(hoursPerDay)})
    union all (select ${chunkColumns} ${ofTag} ${touching({ from, to })} and part <> 0)
  ) near`
  const found = new Map<number, StoredChunk[]>()
  return { text, row: (fields) => collect(found, chunkOf(fields)), finish: () => inOrder(found) }
}
