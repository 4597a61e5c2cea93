import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Database, withClient } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { clockSkewMsMax } from './judge-sample.ts'
import { isStampKept } from './store/log-row.ts'
import type { SampleLog } from './store/sample-log.ts'
import type { Tail } from './store/tail.ts'
import { isAheadOf, type TagState } from './tag-state.ts'
import { qualityNumber } from './tag-type.ts'

const flushMsMin = 1_000
/** Writing newest values may take this part of the time at most. */
const flushShareMax = 0.1
/** Few enough that writing them down holds the event loop for a millisecond or two. */
const tagsPerStatementMax = 500
/** A newest value further ahead than this is from a clock that was ahead: the next value replaces it. */
const clockSkewInterval = `interval '${clockSkewMsMax} milliseconds'`

export interface LatestFlushOptions {
  readonly db: Database
  readonly logger: Logger
  readonly log: Pick<SampleLog, 'noteLatest'>
  /** This process's log, and its last row of which memory has all values. */
  readonly settled: () => Tail['settled']
}

/**
 * Keeps `tag_latest` about a second behind memory, and notes up to which row of this process's log it has. Where the
 * process is killed, the rest is written from the log.
 */
export class LatestFlush {
  readonly #options: LatestFlushOptions
  #dirty = new Map<number, TagState>()
  #flushing: ReadonlyMap<number, TagState> = new Map()
  #notedSeq = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: LatestFlushOptions) {
    this.#options = options
  }

  start(): void {
    this.#schedule(flushMsMin)
  }

  add(tag: TagState): void {
    this.#dirty.set(tag.id, tag)
  }

  isDirty(tag: TagState): boolean {
    return this.#dirty.has(tag.id) || this.#flushing.has(tag.id)
  }

  /** Newest values that may not be written yet, as they are now: written ones stay among them. */
  get unwritten(): NewestValues {
    const [dirty, flushing] = [this.#dirty, this.#flushing]
    return { get: (tagId) => newestOf(dirty.get(tagId) ?? flushing.get(tagId)) }
  }

  /** Writes the rest, once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.flush().catch((error) => this.#options.logger.warn({ err: error }, 'newestValues.writeFailed'))
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      const startedAt = performance.now()
      void this.flush()
        .catch((error) => this.#options.logger.warn({ err: error }, 'newestValues.writeFailed'))
        .then(() => this.#schedule(Math.max(flushMsMin, (performance.now() - startedAt) / flushShareMax)))
    }, ms)
    this.#timer.unref()
  }

  /** Writes the newest values of now, after a flush that is under way. */
  flush(): Promise<void> {
    const flushed = this.#running.then(() => this.#flush())
    this.#running = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(): Promise<void> {
    const { db, log } = this.#options
    // Values of rows up to here are among these tags, or were written.
    const settled = this.#options.settled()
    const tags = this.#dirty
    this.#flushing = tags
    this.#dirty = new Map()
    try {
      await writeNewest(
        db,
        [...tags.values()].flatMap((tag) => newestOf(tag) ?? []),
        '>=',
      )
    } catch (error) {
      for (const [id, tag] of tags) if (!this.#dirty.has(id)) this.#dirty.set(id, tag)
      throw error
    } finally {
      this.#flushing = new Map()
    }
    if (settled.seq === this.#notedSeq) return
    await log.noteLatest(settled, settled.seq)
    this.#notedSeq = settled.seq
  }
}

/** A tag's newest value with the machine's own stamp of it. */
export interface Newest {
  readonly latest: TagValueEvent
  readonly latestStamp: number
}

/** Newest values by the id of their tag. */
export interface NewestValues {
  get(tagId: number): Newest | undefined
}

/** Whether a value replaces the newest one of its tag, which has this time. */
export const isNewest = (value: TagValueEvent, before: number | undefined): boolean =>
  before === undefined || value.time > before || isAheadOf(value.receivedAt, before)

/** A value as its columns hold it; int64 as text. */
export function columnsOf(value: TagValueEvent['value']) {
  const isInteger = typeof value === 'bigint' || typeof value === 'boolean'
  return {
    num: typeof value === 'number' ? value : null,
    int: isInteger ? BigInt(value).toString() : null,
    text: typeof value === 'string' ? value : null,
  }
}

function newestOf(tag: TagState | undefined): Newest | undefined {
  return tag?.latest && { latest: tag.latest, latestStamp: tag.latestStamp }
}

/**
 * Writes newest values; `comparison` decides which times replace the present one. Processes write in the order of the
 * tags, so that two of them do not wait for each other.
 */
export async function writeNewest(
  db: Database,
  values: readonly Newest[],
  comparison: '>=' | '>',
): Promise<void> {
  const ordered = values.toSorted((a, b) => a.latest.tagId - b.latest.tagId)
  for (let from = 0; from < ordered.length; from += tagsPerStatementMax) {
    const columns = parametersOf(ordered.slice(from, from + tagsPerStatementMax))
    await withClient(db, (client) =>
      client.query(
        `insert into tag_latest (tag_id, at, received_at, quality, num, int, text, stamp)
       select tag_id, to_timestamp(latest.at / 1000.0), to_timestamp(received_at / 1000.0), quality, num, int, text, stamp
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::float8[], $6::bigint[], $7::text[],
                   $8::timestamptz[])
         as latest (tag_id, at, received_at, quality, num, int, text, stamp)
       join tags on tags.id = latest.tag_id and tags.disowned_at is null
       order by tag_id
       on conflict (tag_id) do update set at = excluded.at, received_at = excluded.received_at,
         quality = excluded.quality, num = excluded.num, int = excluded.int, text = excluded.text, stamp = excluded.stamp
         where excluded.at ${comparison} tag_latest.at or tag_latest.at > excluded.received_at + ${clockSkewInterval}`,
        columns,
      ),
    )
  }
}

/** Arrays as PostgreSQL writes them, but for texts: the driver takes far longer over numbers and times. */
function parametersOf(tags: readonly Newest[]): unknown[] {
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
    const { num, int, text } = columnsOf(latest.value)
    ids.push(latest.tagId)
    times.push(Math.trunc(latest.time))
    receivedAts.push(Math.trunc(latest.receivedAt))
    qualities.push(qualityNumber[latest.quality])
    nums.push(String(num))
    ints.push(int ?? 'null')
    texts.push(text)
    stamps.push(isStampKept(latestStamp, latest.time) ? new Date(latestStamp).toISOString() : 'null')
  }
  return columns.map((column) => (column === texts ? texts : `{${column.join(',')}}`))
}
