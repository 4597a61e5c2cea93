import type pg from 'pg'
import { copyIn } from '../../../kernel/database/copy.ts'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import {
  createDay,
  type DayNumber,
  type DayPartitioned,
  dayOf,
} from '../../../kernel/database/day-partitions.ts'
import { Slices } from '../../../kernel/slices.ts'
import { type ChunkSamples, encodeChunk } from './chunk.ts'

export { mergeSamples } from './merge-samples.ts'

export const hourMs = 3_600_000
export const hoursPerDay = 24

/** The part that all others of its time were folded into. */
export const foldedPart = 0
/** The part that comes from the rows of version 1.5. */
export const movedPart = -1

/** A part of an hour, or of a day: samples of one tag. */
export interface ChunkPart {
  readonly tagId: number
  /** Hours since 1970. */
  readonly hour: number
  /** Number of hours it covers: 1 or 24. */
  readonly span: number
  readonly samples: ChunkSamples
}

/** Hours since 1970, in UTC. */
export const hourOf = (at: number): number => Math.floor(at / hourMs)

/** Older days get no partition of their own; their chunks are in `sample_chunks_rest`. */
const partitionedDaysMax = 92
const daysAheadMax = 3
const lockWaitMsMax = 3_000

/** Two chunks of half a page lie in it side by side; longer ones are cut up by PostgreSQL. */
export const chunkDays: DayPartitioned = {
  table: 'sample_chunks',
  column: 'hour',
  boundOf: (day) => String(day * hoursPerDay),
  parameters: 'toast_tuple_target = 4080',
  lockWaitMsMax,
}

const copyText = 'copy sample_chunks (tag_id, hour, span, part, count, bytes) from stdin (format binary)'

/**
 * Writes parts as chunks, and answers how many there were; parts without a sample are left out. It gives way to others
 * every few milliseconds. The partitions of the days should be there (`ensureChunkDays`).
 */
export function copyParts(
  client: pg.ClientBase,
  part: number,
  parts: Iterable<ChunkPart> | AsyncIterable<ChunkPart>,
): Promise<number> {
  return copyIn(client, copyText, encodeRows(part, parts))
}

/** The number of the next part: higher than every one before it. */
export async function nextPart(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ part: number }>(`select nextval('sample_parts')::int as part`)
  return rows[0]?.part as number
}

const knownDays = new WeakMap<Database, Set<DayNumber>>()

/** Makes the partitions that chunks of these hours need, as far as their days get one. */
export async function ensureChunkDays(
  db: Database,
  hours: Iterable<number>,
  now = Date.now(),
): Promise<void> {
  const known = knownDays.get(db) ?? new Set()
  knownDays.set(db, known)
  const today = dayOf(now)
  for (const day of new Set(Array.from(hours, (hour) => Math.floor(hour / hoursPerDay)))) {
    if (known.has(day) || day < today - partitionedDaysMax || day > today + daysAheadMax) continue
    await withClient(db, (client) => createDay(client, chunkDays, day))
    known.add(day)
  }
}

/** The beginning of a chunk's time, epoch milliseconds. */
export const startOf = ({ hour }: { readonly hour: number }): number => hour * hourMs

/** The end of a chunk's time, epoch milliseconds. */
export const endOf = ({ hour, span }: { readonly hour: number; readonly span: number }): number =>
  (hour + span) * hourMs

/** The day of an hour as the hour of its beginning. */
export const dayStartOf = (hour: number): number => Math.floor(hour / hoursPerDay) * hoursPerDay

/** Signature, flags and header extension of PostgreSQL's binary COPY format. */
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])
/** Everything of a row before its bytes: the number of fields, and six lengths with five numbers. */
const rowHeadBytes = 2 + 6 * 4 + 8 + 4 + 2 + 4 + 4

async function* encodeRows(
  part: number,
  parts: Iterable<ChunkPart> | AsyncIterable<ChunkPart>,
): AsyncGenerator<Buffer> {
  const slices = new Slices()
  yield header
  for await (const { tagId, hour, span, samples } of parts) {
    const count = samples.times.length
    if (count === 0) continue
    await slices.next()
    yield encodeRow({ tagId, hour, span, part, count }, encodeChunk(samples))
  }
  yield trailer
}

function encodeRow(
  row: Pick<ChunkPart, 'tagId' | 'hour' | 'span'> & { readonly part: number; readonly count: number },
  bytes: Buffer,
): Buffer {
  const out = Buffer.allocUnsafe(rowHeadBytes + bytes.length)
  let place = out.writeInt16BE(6, 0)
  place = out.writeInt32BE(8, place)
  place = out.writeBigInt64BE(BigInt(row.tagId), place)
  place = out.writeInt32BE(4, place)
  place = out.writeInt32BE(row.hour, place)
  place = out.writeInt32BE(2, place)
  place = out.writeInt16BE(row.span, place)
  for (const number of [row.part, row.count]) {
    place = out.writeInt32BE(4, place)
    place = out.writeInt32BE(number, place)
  }
  bytes.copy(out, out.writeInt32BE(bytes.length, place))
  return out
}
