import type pg from 'pg'
import type { Slices } from '../../../kernel/slices.ts'
import {
  type AverageStep,
  type Averages,
  decodeAverages,
  encodeAverages,
  replaceHours,
  withoutHours,
} from './averages.ts'
import { BytesDamaged } from './byte-reader.ts'
import { hourOf, hoursPerDay } from './chunk-rows.ts'
import type { DamagedChunks } from './damaged-chunks.ts'
import type { Folded } from './fold-unit.ts'

interface AverageRow {
  readonly tag_id: number
  readonly step: AverageStep
  readonly hour: number
  readonly span: number
  readonly bytes: Buffer
}

/** The driver writes the bytes of a statement as text without a pause. */
const statementBytesMax = 128 * 1024

function* inBatches(rows: readonly AverageRow[]): Generator<AverageRow[]> {
  let batch: AverageRow[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    bytes += row.bytes.length
    if (bytes < statementBytesMax) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Rows of averages as they shall be; without averages a row goes. */
class Wanted {
  readonly #rows = new Map<string, Omit<AverageRow, 'bytes'> & { averages: Averages | undefined }>()

  get(tagId: number, step: AverageStep, hour: number, span: number) {
    return this.#rows.get(`${tagId}/${step}/${hour}/${span}`)
  }

  set(tagId: number, step: AverageStep, hour: number, span: number, averages: Averages | undefined): void {
    this.#rows.set(`${tagId}/${step}/${hour}/${span}`, { tag_id: tagId, step, hour, span, averages })
  }

  /** Puts the folded hours into a row, and takes out those that have no averages any more. */
  replace(row: Omit<AverageRow, 'bytes'>, hours: ReadonlyMap<number, Averages | undefined>): void {
    const { tag_id: tagId, step, hour, span } = row
    let averages = this.get(tagId, step, hour, span)?.averages
    if (averages) averages = withoutHours(averages, new Set(hours.keys()))
    for (const newer of hours.values()) if (newer) averages = averages ? replaceHours(averages, newer) : newer
    this.set(tagId, step, hour, span, averages && averages.hours.length > 0 ? averages : undefined)
  }

  async write(client: pg.ClientBase, slices: Slices): Promise<void> {
    const kept: AverageRow[] = []
    const gone: Omit<AverageRow, 'bytes'>[] = []
    for (const { averages, ...row } of this.#rows.values()) {
      if (averages) kept.push({ ...row, bytes: encodeAverages(averages) })
      else gone.push(row)
      await slices.next()
    }
    if (gone.length > 0)
      await client.query(
        `delete from sample_averages using unnest($1::bigint[], $2::smallint[], $3::int[], $4::smallint[])
           as gone (tag_id, step, hour, span)
         where sample_averages.tag_id = gone.tag_id and sample_averages.step = gone.step
           and sample_averages.hour = gone.hour and sample_averages.span = gone.span`,
        keysOf(gone),
      )
    for (const some of inBatches(kept)) {
      await client.query(
        `insert into sample_averages (tag_id, step, hour, span, bytes)
         select * from unnest($1::bigint[], $2::smallint[], $3::int[], $4::smallint[], $5::bytea[])
         on conflict (tag_id, step, hour, span) do update set bytes = excluded.bytes`,
        [...keysOf(some), some.map(({ bytes }) => bytes)],
      )
      await slices.next()
    }
  }
}

/** Writes the averages of the folded hours. In the transaction that writes its chunks. */
export async function writeAverages(
  client: pg.ClientBase,
  folded: readonly Folded[],
  { damaged, slices }: { readonly damaged: DamagedChunks; readonly slices: Slices },
): Promise<void> {
  const wanted = new Wanted()
  // Another process may fold another hour of the same day.
  const { rows } = await client.query<AverageRow>(
    `select averages.tag_id, step, averages.hour, span, bytes from sample_averages averages
     join (select distinct * from unnest($1::bigint[], $2::int[], $3::smallint[]) as folded (tag_id, hour, span)) folded
       using (tag_id, hour, span)
     for update of averages`,
    keysToRead(folded),
  )
  for (const row of rows) wanted.set(row.tag_id, row.step, row.hour, row.span, decoded(row, damaged))
  for (const one of folded) {
    const { tagId, day } = one
    const ofDay = { tag_id: tagId, hour: day, span: hoursPerDay }
    const [minutes, hours] = ([1, 60] as const).map((step) => {
      const known = wanted.get(tagId, step, day, hoursPerDay)?.averages
      return withAllSamples(one, step, (hour) => known ?? wanted.get(tagId, step, hour, 1)?.averages)
    }) as [Hours, Hours]
    wanted.replace({ ...ofDay, step: 60 }, hours)
    if (wanted.get(tagId, 1, day, hoursPerDay)) wanted.replace({ ...ofDay, step: 1 }, minutes)
    else for (const [hour, averages] of minutes) wanted.set(tagId, 1, hour, 1, averages)
    await slices.next()
  }
  await wanted.write(client, slices)
}

/** Puts the minutes of a day's hours into one row for each tag, in a transaction. */
export async function mergeMinutes(
  client: pg.ClientBase,
  day: number,
  tagIds: readonly number[],
  { damaged, slices }: { readonly damaged: DamagedChunks; readonly slices: Slices },
): Promise<void> {
  const { rows } = await client.query<AverageRow>(
    `select tag_id, step, hour, span, bytes from sample_averages
     where tag_id = any($1::bigint[]) and step = 1 and hour >= $2 and hour < $3
     order by tag_id, span desc, hour for update`,
    [tagIds, day, day + hoursPerDay],
  )
  const wanted = new Wanted()
  for (const row of rows) {
    const averages = decoded(row, damaged)
    if (row.span === 1) wanted.set(row.tag_id, 1, row.hour, 1, undefined)
    const ofDay = { tag_id: row.tag_id, step: 1, hour: day, span: hoursPerDay } as const
    if (averages && row.span > 1) wanted.set(row.tag_id, 1, day, hoursPerDay, averages)
    else if (averages) wanted.replace(ofDay, new Map([[row.hour, averages]]))
    await slices.next()
  }
  await wanted.write(client, slices)
}

type Hours = ReadonlyMap<number, Averages | undefined>

/** The rows of the days that are folded, and of hours that seem to be folded for the first time. */
function keysToRead(folded: readonly Folded[]): [number[], number[], number[]] {
  const rows = folded.flatMap((one) => {
    const { tagId, day } = one
    const first = [...one.hours.keys()].filter((hour) => !one.hadFolded(hour))
    return [{ tagId, hour: day, span: hoursPerDay }, ...first.map((hour) => ({ tagId, hour, span: 1 }))]
  })
  return [rows.map(({ tagId }) => tagId), rows.map(({ hour }) => hour), rows.map(({ span }) => span)]
}

/**
 * The folded hours that still have all samples their averages count. If some are missing, or nothing was folded before,
 * the chunks are past their retention, and only late samples are left of the hour.
 */
function withAllSamples(
  folded: Folded,
  step: AverageStep,
  knownOf: (hour: number) => Averages | undefined,
): Hours {
  return new Map(
    Array.from(folded.hours, ([hour, averages]) => [hour, averages[step]] as const).filter(
      ([hour, newer]) => {
        const before = samplesIn(knownOf(hour), hour)
        if (before === 0) return true
        return folded.hadFolded(hour) && (newer === undefined || samplesIn(newer, hour) >= before)
      },
    ),
  )
}

function samplesIn(averages: Averages | undefined, hour: number): number {
  let count = 0
  const { starts, samples } = averages ?? { starts: [], samples: [] }
  for (let place = 0; place < starts.length; place++)
    if (hourOf(starts[place] as number) === hour) count += samples[place] as number
  return count
}

/** Averages are worked out anew from chunks: those that are damaged are left out, and their hours read from chunks. */
function decoded(row: AverageRow, damaged: DamagedChunks): Averages | undefined {
  try {
    return decodeAverages(row.bytes)
  } catch (error) {
    if (!(error instanceof BytesDamaged)) throw error
    const { tag_id: tagId, hour, span } = row
    damaged.tell({ tagId, hour, span, part: 0, table: 'sample_averages', error })
    return undefined
  }
}

const keysOf = (rows: readonly Omit<AverageRow, 'bytes'>[]): unknown[] => [
  rows.map((row) => row.tag_id),
  rows.map(({ step }) => step),
  rows.map(({ hour }) => hour),
  rows.map(({ span }) => span),
]
