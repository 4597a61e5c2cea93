import type pg from 'pg'
import type { TagType } from '../tag-type.ts'
import type { ChunkSamples, ChunkValues } from './chunk.ts'
import { type ChunkPart, hourOf } from './chunk-rows.ts'

/** Rows after a place, in the order of tag and time. */
export interface RowPlace {
  readonly tagId: number
  /** Microseconds since 1970. */
  readonly micros: number
}

/** A row of version 1.5's `samples`. */
interface OldRow extends RowPlace {
  readonly ctid: string
  readonly quality: number
  readonly late: boolean
  readonly num: number | null
  readonly int: string | null
  readonly text: string | null
}

/** Rows that belong together in chunks. */
export interface RowBatch {
  readonly rows: readonly OldRow[]
  readonly isLast: boolean
}

/** Rows read at once: few enough that parsing them holds the event loop for a few milliseconds. */
const rowsPerRead = 2_000
/** The rows of one hour of one tag that go into one chunk; the rest of such an hour goes into another. */
const rowsPerChunkMax = 32_000

const microsPerMs = 1_000
const hourMicros = 3_600_000 * microsPerMs

/** The next rows of a partition: whole hours of tags, as far as one chunk takes an hour. */
export async function readRowBatch(
  client: pg.ClientBase,
  partition: string,
  after: RowPlace,
  rowsMax: number = rowsPerRead,
): Promise<RowBatch> {
  const { rows } = await client.query<OldRow>(
    `select ctid::text, tag_id as "tagId", (extract(epoch from at) * 1000000)::bigint as micros, quality, late, num,
            int::text as int, text
     from ${partition}
     where (tag_id, at) > ($1::bigint, timestamptz 'epoch' + $2::bigint * interval '1 microsecond')
     order by tag_id, at, received_at, ${partition}.ctid limit $3`,
    [after.tagId, after.micros, rowsMax],
  )
  if (rows.length < rowsMax) return { rows, isLast: true }
  // The last hour may go on, and so may the last instant of a long one.
  const isWhole = rows.findLastIndex((row) => !isSameHour(row, rows.at(-1)))
  if (isWhole >= 0) return { rows: rows.slice(0, isWhole + 1), isLast: false }
  if (rowsMax < rowsPerChunkMax)
    return readRowBatch(client, partition, after, Math.min(rowsMax * 4, rowsPerChunkMax))
  const isBefore = rows.findLastIndex((row) => row.micros !== rows.at(-1)?.micros)
  return { rows: isBefore < 0 ? rows : rows.slice(0, isBefore + 1), isLast: false }
}

function isSameHour(row: RowPlace, other: RowPlace | undefined): boolean {
  return row.tagId === other?.tagId && hourStartOf(row) === hourStartOf(other)
}

const hourStartOf = ({ micros }: RowPlace): number => Math.floor(micros / hourMicros)

/**
 * The chunks of rows, with the first row of each time. Rows of tags without a type belong to nobody, and are left out.
 */
export function* partsOf(
  rows: readonly OldRow[],
  types: ReadonlyMap<number, TagType>,
  stamps: ReadonlyMap<string, number>,
): Generator<ChunkPart> {
  for (let from = 0; from < rows.length; ) {
    const first = rows[from] as OldRow
    let to = from + 1
    while (to < rows.length && isSameHour(rows[to] as OldRow, first)) to++
    const type = types.get(first.tagId)
    if (type) {
      const samples = samplesOf(rows.slice(from, to), type, stamps)
      yield { tagId: first.tagId, hour: hourOf(timeOf(first)), span: 1, samples }
    }
    from = to
  }
}

const timeOf = ({ micros }: RowPlace): number => Math.floor(micros / microsPerMs)

/** The key of a stamp by its sample. */
export const stampKey = ({ tagId, micros }: RowPlace): string => `${tagId} ${micros}`

function samplesOf(
  rows: readonly OldRow[],
  type: TagType,
  stamps: ReadonlyMap<string, number>,
): ChunkSamples {
  const kept = rows.filter((row, place) => place === 0 || timeOf(row) !== timeOf(rows[place - 1] as OldRow))
  const values = kept.map((row) => storedOf(row, type))
  const stampOf = new Map<number, number>()
  for (const [place, row] of kept.entries()) {
    const stamp = stamps.get(stampKey(row))
    if (stamp !== undefined && stamp !== timeOf(row)) stampOf.set(place, stamp)
  }
  return {
    times: kept.map(timeOf),
    qualities: kept.map(({ quality }) => quality),
    lates: kept.map(({ late }) => Number(late)),
    filled: values.map((value) => Number(value !== null)),
    column: columnOf(type, values),
    stamps: stampOf,
  }
}

function storedOf({ num, int, text }: OldRow, type: TagType): number | string | null {
  if (type === 'string') return text
  return type === 'float64' ? num : int
}

function columnOf(type: TagType, values: readonly (number | string | null)[]): ChunkValues {
  const known = values.filter((value) => value !== null)
  if (type === 'string') return { type, values: known.map(String) }
  if (type === 'int64') return { type, values: known.map((value) => BigInt(value)) }
  return { type, values: known.map(Number) }
}
