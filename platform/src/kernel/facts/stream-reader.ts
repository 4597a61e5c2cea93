import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/schema.gen.ts'
import { startDeadline, within } from '../deadline.ts'

/** Longer than the server lets a statement run: a connection that is silent until then is dead. */
const silentMsMax = 65_000

/** A table that is followed: rows with an `xid8` column `xid` that its transaction fills by default, and an index on it. */
export interface Stream {
  readonly table: string
  /** Columns beside the horizon; the first of `key` is never null. */
  readonly columns: readonly string[]
  /** Columns that name a row. */
  readonly key: readonly string[]
  /** The order in which the rows of one read are delivered. */
  readonly orderBy: readonly string[]
  /** A condition for the rows to deliver; for a partitioned table it leaves old partitions out. */
  readonly where?: string
}

export interface StreamReaderOptions<Row> {
  readonly db: Kysely<DB>
  readonly stream: Stream
  /** Gets each row once, in the order of the stream within a read. It must not throw. */
  tell(rows: readonly Row[]): void
  /** A read that began at `startedAt` (performance.now) has succeeded and all its rows were delivered. */
  didRead?(startedAt: number): void
  didFail(error: unknown): void
  /** For tests: how long a read waits for its answer. */
  readonly silentMsMax?: number
}

/**
 * Follows a table from now on. Each read takes the rows of transactions that had not ended at the last read or have
 * begun since, so that one that took its id early and commits late is not skipped; each row is delivered once. It reads
 * when `read` is called, one read at a time.
 */
export class StreamReader<Row extends object> {
  readonly #options: StreamReaderOptions<Row>
  readonly #list: (horizon: string | null) => Promise<(Row & { horizon: string })[]>
  /** Delivered rows that will be read again. */
  #seen = new Set<string>()
  /** Transactions before this one have all ended, and their rows were read. */
  #horizon: string | null = null
  /** The waiting callers, each with the number of wakes it waits for. */
  readonly #waiting = new Map<() => void, number>()
  #wakes = 0
  #toldWakes = 0
  #triedAt = 0
  #isReading = false
  #running: Promise<void> | undefined
  /** Runs until a delayed read begins. */
  #gathering: NodeJS.Timeout | undefined
  #again = false
  #stopped = false

  constructor(options: StreamReaderOptions<Row>) {
    this.#options = options
    this.#list = createList<Row>(options.db, options.stream)
  }

  /** Marks the rows already in the table: they are never delivered. */
  async start(): Promise<void> {
    this.#seen = new Set((await this.#next()).map((row) => this.#keyOf(row)))
    this.#triedAt = performance.now()
  }

  /** When the last read began, whatever became of it. */
  get triedAt(): number {
    return this.#triedAt
  }

  /** Rows were committed: they are read after `afterMs`, with all that are committed until then. */
  wake(afterMs = 0): void {
    this.#wakes++
    if (afterMs === 0) this.read()
    else this.#gathering ??= setTimeout(() => this.read(), afterMs)
  }

  /** Reads now, or again when the read that runs has ended. */
  read(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    if (this.#stopped) return
    if (this.#isReading) this.#again = true
    else this.#running = this.#read()
  }

  /** Waits until all wakes so far are delivered; false after `ms`. */
  async catchUp(ms: number): Promise<boolean> {
    if (this.#toldWakes === this.#wakes) return true
    if (this.#gathering) this.read()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const caughtUp = () => resolve(true)
    this.#waiting.set(caughtUp, this.#wakes)
    const callOff = startDeadline(ms, () => resolve(false))
    try {
      return await promise
    } finally {
      callOff()
      this.#waiting.delete(caughtUp)
    }
  }

  /** Ends it; resolves when no read runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#gathering)
    await this.#running
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      do {
        this.#again = false
        const startedAt = performance.now()
        this.#triedAt = startedAt
        const wakes = this.#wakes
        const rows = await this.#next()
        const fresh = rows.filter((row) => !this.#seen.has(this.#keyOf(row)))
        this.#seen = new Set(rows.map((row) => this.#keyOf(row)))
        if (fresh.length > 0) this.#options.tell(fresh)
        this.#toldWakes = wakes
        for (const [caughtUp, upTo] of this.#waiting) if (upTo <= wakes) caughtUp()
        this.#options.didRead?.(startedAt)
      } while (this.#again && !this.#stopped)
    } catch (error) {
      if (!this.#stopped) this.#options.didFail(error)
    } finally {
      this.#isReading = false
    }
  }

  async #next(): Promise<Row[]> {
    const rows = await this.#answered(this.#list(this.#horizon))
    this.#horizon = rows[0]?.horizon ?? this.#horizon
    const [first] = this.#options.stream.key
    // Without new rows there is one row: the horizon alone.
    return rows.filter((row) => (row as Record<string, unknown>)[first ?? ''] !== null)
  }

  /** A connection that died without a word would keep every further read waiting for as long as TCP tries. */
  #answered<Answer>(reading: Promise<Answer>): Promise<Answer> {
    const late = () => new Error('The database did not answer.')
    return within(this.#options.silentMsMax ?? silentMsMax, reading, late)
  }

  #keyOf(row: Row): string {
    return this.#options.stream.key.map((column) => (row as Record<string, unknown>)[column]).join('/')
  }
}

function createList<Row extends object>(db: Kysely<DB>, stream: Stream) {
  const columns = sql.join(stream.columns.map((column) => sql.ref(`followed.${column}`)))
  const order = sql.join(stream.orderBy.map((column) => sql.ref(`followed.${column}`)))
  const where = sql.raw(stream.where ? ` and ${stream.where}` : '')
  return async (horizon: string | null) => {
    const { rows } = await sql<Row & { horizon: string }>`
      with snapshot as (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
      select snapshot.horizon::text, ${columns}
      from snapshot left join ${sql.table(stream.table)} followed
        on followed.xid >= coalesce(${horizon}::xid8, snapshot.horizon)${where}
      order by ${order}`.execute(db)
    return rows
  }
}
