import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { LiveSample, TagVersion } from './past-samples-store.ts'
import type { SampleSink, SampleValue } from './store/log-row.ts'
import { readLogSince } from './store/sample-log.ts'
import { storedValue } from './tag-registry.ts'
import { qualityNumber, type TagType } from './tag-type.ts'

/** Times of samples; `to` excluded. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * The live samples that were received from an instant on: in the order of their arrival, those of a message by time. The
 * log keeps them for two hours at least.
 */
export async function listReceivedSamples(
  db: Database,
  versions: readonly TagVersion[],
  receivedFrom: number,
  taken: Span,
  logger: Pick<Logger, 'error'>,
): Promise<LiveSample[]> {
  if (versions.length === 0) return []
  const found = new ReceivedSamples(new Set(versions.map(({ id }) => id)), receivedFrom, taken)
  // A row is committed after its samples were received.
  await readLogSince(db, receivedFrom, found, logger)
  found.samples.sort((a, b) => a.receivedAt - b.receivedAt || a.at - b.at)
  return [...(await listReceivedRows(db, versions, receivedFrom, taken)), ...found.samples]
}

/** Samples of other qualities mean that there was no value. */
const counts = (quality: number): boolean =>
  quality === qualityNumber.good || quality === qualityNumber.uncertain

class ReceivedSamples implements SampleSink {
  readonly samples: LiveSample[] = []
  readonly #tagIds: ReadonlySet<number>
  readonly #receivedFrom: number
  readonly #taken: Span

  constructor(tagIds: ReadonlySet<number>, receivedFrom: number, taken: Span) {
    this.#tagIds = tagIds
    this.#receivedFrom = receivedFrom
    this.#taken = taken
  }

  add(
    tagId: number,
    _type: TagType,
    at: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
  ): void {
    if (late || value === null || receivedAt < this.#receivedFrom || !counts(quality)) return
    // One that its machine had kept may be as old as it likes.
    if (at >= this.#taken.to || !this.#tagIds.has(tagId)) return
    this.samples.push({ tagId, at, receivedAt, value })
  }
}

/** The same of the rows that version 1.5 wrote before it ended. */
async function listReceivedRows(
  db: Database,
  versions: readonly TagVersion[],
  receivedFrom: number,
  taken: Span,
): Promise<LiveSample[]> {
  const { rows } = await sql<{
    tagId: number
    at: number
    receivedAt: number
    num: number | null
    int: string | null
    text: string | null
  }>`
    select tag_id as "tagId", (extract(epoch from at) * 1000)::float8 as at,
           (extract(epoch from received_at) * 1000)::float8 as "receivedAt", num, int::text as int, text
    from samples
    where tag_id = any(${versions.map(({ id }) => id)}::bigint[]) and at >= ${new Date(taken.from)}
      and at < ${new Date(taken.to)} and not late and received_at >= ${new Date(receivedFrom)}
      and quality = any(${[qualityNumber.good, qualityNumber.uncertain]}::smallint[])
    order by received_at, samples.at`.execute(db)
  const types = new Map(versions.map(({ id, type }) => [id, type]))
  return rows.flatMap(({ tagId, at, receivedAt, ...row }) => {
    const value = storedValue(types.get(tagId) ?? 'float64', row)
    return value === null ? [] : [{ tagId, at, receivedAt, value }]
  })
}
