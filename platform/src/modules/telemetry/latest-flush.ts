import { sql } from 'kysely'
import type pg from 'pg'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Database, withClient } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { clockSkewMsMax } from './judge-sample.ts'
import { isStampKept, type SampleSink, type SampleValue } from './store/log-row.ts'
import { readLogSince } from './store/sample-log.ts'
import type { TagState } from './tag-state.ts'
import { qualityNumber, qualityOf, type TagType } from './tag-type.ts'

const flushMsMin = 1_000
/** Writing newest values may take this part of the time at most. */
const flushShareMax = 0.1
/** Few enough that writing them down holds the event loop for a millisecond or two. */
const tagsPerStatementMax = 500
/** Live samples may be timed shortly before the last flush although they came after it: clocks may be off. */
const clockSkewMs = 10 * 60_000
/** A newest value further ahead than this is from a clock that was ahead: the next value replaces it. */
const clockSkewInterval = `interval '${clockSkewMsMax} milliseconds'`

/**
 * Keeps `tag_latest` about a second behind memory. After a crash it is made good from the samples received since the
 * last flush.
 */
export class LatestFlush {
  readonly #db: Database
  readonly #logger: Logger
  readonly #now: () => number
  /** When the oldest sample that is not committed arrived. */
  readonly #oldestWaitingAt: () => number | undefined
  #dirty = new Set<TagState>()
  #flushing = new Set<TagState>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: {
    db: Database
    logger: Logger
    now: () => number
    oldestWaitingAt: () => number | undefined
  }) {
    this.#db = options.db
    this.#logger = options.logger
    this.#now = options.now
    this.#oldestWaitingAt = options.oldestWaitingAt
  }

  start(): void {
    this.#schedule(flushMsMin)
  }

  add(tag: TagState): void {
    this.#dirty.add(tag)
  }

  isDirty(tag: TagState): boolean {
    return this.#dirty.has(tag) || this.#flushing.has(tag)
  }

  /** Writes the rest, once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
    await this.flush().catch((error) => this.#logger.warn({ err: error }, 'newestValues.writeFailed'))
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      const startedAt = performance.now()
      this.#running = this.flush()
        .catch((error) => this.#logger.warn({ err: error }, 'newestValues.writeFailed'))
        .then(() => this.#schedule(Math.max(flushMsMin, (performance.now() - startedAt) / flushShareMax)))
    }, ms)
    this.#timer.unref()
  }

  async flush(): Promise<void> {
    const at = Math.min(this.#now(), this.#oldestWaitingAt() ?? Number.POSITIVE_INFINITY)
    const tags = this.#dirty
    if (tags.size === 0) return
    this.#flushing = tags
    this.#dirty = new Set()
    try {
      await this.#write([...tags], at)
    } catch (error) {
      for (const tag of tags) this.#dirty.add(tag)
      throw error
    } finally {
      this.#flushing = new Set()
    }
  }

  async #write(tags: readonly TagState[], at: number): Promise<void> {
    await withClient(this.#db, async (client) => {
      await client.query('begin')
      await writeNewest(client, tags, '>=')
      await client.query('update telemetry_state set latest_flushed_at = $1', [new Date(at)])
      await client.query('commit')
    })
  }
}

/** A tag's newest value with the machine's own stamp of it. */
type Newest = Pick<TagState, 'latest' | 'latestStamp'>

/** Writes newest values; `comparison` decides which times replace the present one. */
async function writeNewest(
  client: pg.ClientBase,
  tags: readonly Newest[],
  comparison: '>=' | '>',
): Promise<void> {
  for (let from = 0; from < tags.length; from += tagsPerStatementMax) {
    await client.query(
      `insert into tag_latest (tag_id, at, received_at, quality, num, int, text, stamp)
       select tag_id, to_timestamp(latest.at / 1000.0), to_timestamp(received_at / 1000.0), quality, num, int, text, stamp
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::float8[], $6::bigint[], $7::text[],
                   $8::timestamptz[])
         as latest (tag_id, at, received_at, quality, num, int, text, stamp)
       join tags on tags.id = latest.tag_id and tags.disowned_at is null
       on conflict (tag_id) do update set at = excluded.at, received_at = excluded.received_at,
         quality = excluded.quality, num = excluded.num, int = excluded.int, text = excluded.text, stamp = excluded.stamp
         where excluded.at ${comparison} tag_latest.at or tag_latest.at > excluded.received_at + ${clockSkewInterval}`,
      columnsOf(tags.slice(from, from + tagsPerStatementMax)),
    )
  }
}

/** Arrays as PostgreSQL writes them, but for texts: the driver takes far longer over numbers and times. */
function columnsOf(tags: readonly Newest[]): unknown[] {
  const columns: [number[], number[], number[], number[], string[], string[], (string | null)[], string[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  const [ids, times, receivedAts, qualities, nums, ints, texts, stamps] = columns
  for (const { latest, latestStamp } of tags) {
    if (!latest) continue
    const { value } = latest
    const isInteger = typeof value === 'bigint' || typeof value === 'boolean'
    ids.push(latest.tagId)
    times.push(Math.trunc(latest.time))
    receivedAts.push(Math.trunc(latest.receivedAt))
    qualities.push(qualityNumber[latest.quality])
    nums.push(typeof value === 'number' ? String(value) : 'null')
    ints.push(isInteger ? BigInt(value).toString() : 'null')
    texts.push(typeof value === 'string' ? value : null)
    stamps.push(isStampKept(latestStamp, latest.time) ? new Date(latestStamp).toISOString() : 'null')
  }
  return columns.map((column) => (column === texts ? texts : `{${column.join(',')}}`))
}

/**
 * Brings `tag_latest` up to date after a crash: samples received since the last flush may have moved it. `samplesDb`:
 * the database of the samples, which may be another one.
 */
export async function rebuildLatest(
  { db, samplesDb, logger }: { db: Database; samplesDb: Database; logger: Pick<Logger, 'error'> },
  now: number,
): Promise<void> {
  const receivedFrom = await findFlushedAt(db)
  const span = { from: receivedFrom - clockSkewMs, to: now + clockSkewMsMax }
  const newest = new NewestSamples(receivedFrom, span)
  await readNewestRows(samplesDb, receivedFrom, span, newest)
  // A row is committed after its samples were received.
  await readLogSince(samplesDb, receivedFrom, newest, logger)
  if (newest.byTag.size === 0) return
  await withClient(db, async (client) => {
    await client.query('begin')
    await writeNewest(client, [...newest.byTag.values()], '>')
    await client.query('commit')
  })
}

/** Times of samples, both included. */
interface Span {
  readonly from: number
  readonly to: number
}

/** The newest live value of each tag, of two with one time the first that was received. */
class NewestSamples implements SampleSink {
  readonly byTag = new Map<number, { readonly latest: TagValueEvent; readonly latestStamp: number }>()
  readonly #receivedFrom: number
  readonly #span: Span

  constructor(receivedFrom: number, span: Span) {
    this.#receivedFrom = receivedFrom
    this.#span = span
  }

  add(
    tagId: number,
    _type: TagType,
    time: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
    latestStamp: number,
  ): void {
    if (late || receivedAt < this.#receivedFrom || time < this.#span.from || time > this.#span.to) return
    const known = this.byTag.get(tagId)?.latest
    if (known && (known.time > time || (known.time === time && known.receivedAt <= receivedAt))) return
    const latest = { tagId, value, quality: qualityOf(quality), time, receivedAt }
    this.byTag.set(tagId, { latest, latestStamp })
  }
}

async function findFlushedAt(db: Database): Promise<number> {
  await sql`insert into telemetry_state (latest_flushed_at) values (now()) on conflict do nothing`.execute(db)
  const state = await db.selectFrom('telemetry_state').select('latest_flushed_at').executeTakeFirstOrThrow()
  return state.latest_flushed_at.getTime()
}

interface NewestRow {
  readonly tagId: number
  readonly at: Date
  readonly receivedAt: Date
  readonly quality: number
  readonly num: number | null
  readonly int: string | null
  readonly text: string | null
  readonly stamp: Date | null
}

/** The newest of the rows that version 1.5 wrote before it ended. */
async function readNewestRows(
  samplesDb: Database,
  receivedFrom: number,
  { from, to }: Span,
  newest: NewestSamples,
): Promise<void> {
  // The bounds are parameters, so that the planner leaves out the days before.
  const [takenFrom, takenTo] = [new Date(from), new Date(to)]
  const { rows } = await sql<NewestRow>`
    select newest.tag_id as "tagId", newest.at, received_at as "receivedAt", quality, num, int::text as int, text, kept.stamp
    from (
      select distinct on (tag_id) tag_id, at, received_at, quality, num, int, text
      from samples
      where received_at >= ${new Date(receivedFrom)} and at >= ${takenFrom} and at <= ${takenTo} and not late
      order by tag_id, at desc, received_at) newest
    left join (
      select tag_id, at, min(stamp) as stamp from sample_stamps
      where at >= ${takenFrom} and at <= ${takenTo} group by tag_id, at
    ) kept on kept.tag_id = newest.tag_id and kept.at = newest.at`.execute(samplesDb)
  for (const { tagId, at, receivedAt, quality, num, int, text, stamp } of rows) {
    const value = text ?? (int === null ? num : BigInt(int))
    const [time, stamped] = [at.getTime(), (stamp ?? at).getTime()]
    newest.add(tagId, 'float64', time, receivedAt.getTime(), quality, false, value, stamped)
  }
}
