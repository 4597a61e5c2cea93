import type pg from 'pg'
import { type Database, takeClient, withClient } from '../../../kernel/database/database.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { Slices } from '../../../kernel/slices.ts'
import { BytesDamaged } from './byte-reader.ts'
import { LogPartitions } from './log-partitions.ts'
import { decodeLogRow, type SampleSink } from './log-row.ts'
import type { LogName, LogSpan, LogTicket } from './tail.ts'

/** Rows read at a time: few, because each may hold thousands of samples. */
const rowsPerRead = 64

/** This process's log was closed by another one that took its place: nothing of it is committed any more. */
export class LogClosed extends Error {
  override name = 'LogClosed'
}

/** A row of the log as it is read back. */
export interface LogRow extends LogName {
  readonly seq: number
  readonly bytes: Buffer
}

/** Stores the samples of every commit until they are in chunks. */
export class SampleLog {
  readonly partitions: LogPartitions
  readonly #db: Database
  readonly #nodeId: string
  readonly #now: () => number

  constructor(options: { db: Database; nodeId: string; logger: Logger; now: () => number }) {
    this.#db = options.db
    this.#nodeId = options.nodeId
    this.#now = options.now
    this.partitions = new LogPartitions(options)
  }

  /** Makes this process's log, and ends those of the processes before it. */
  async open({ nodeId, incarnation }: LogName): Promise<void> {
    await this.partitions.ensureAhead()
    await withClient(this.#db, async (client) => {
      const openedAt = new Date(this.#now()).toISOString()
      // Statements of one simple query are one transaction.
      await client.query(
        `select pg_advisory_xact_lock(${lockOf(nodeId)});
         insert into sample_log_positions (node_id, incarnation, seq, latest_seq, opened_at)
         values (${quote(nodeId)}, ${quote(incarnation)}, 0, 0, '${openedAt}');
         ${closeOthers(nodeId, incarnation, openedAt)}`,
      )
    })
  }

  /**
   * Ends the logs of a node, but for that of the incarnation `own`, and answers those with rows that are in no chunk, the
   * oldest first. Where `own` was ended itself it answers none: another process has its place.
   */
  takeOver(nodeId: string, own?: string): Promise<LogSpan[]> {
    return this.#end(nodeId, own, 'position.seq')
  }

  /** The same, with the rows that newest values are not written of. */
  takeOverLatest(nodeId: string, own?: string): Promise<LogSpan[]> {
    return this.#end(nodeId, own, 'coalesce(position.latest_seq, 0)')
  }

  /** Commits that are on their way are waited for, further ones are refused. */
  async #end(nodeId: string, own: string | undefined, from: string): Promise<LogSpan[]> {
    return withClient(this.#db, async (client) => {
      const closedAt = new Date(this.#now()).toISOString()
      await client.query(
        `select pg_advisory_xact_lock(${lockOf(nodeId)}); ${closeOthers(nodeId, own, closedAt)}`,
      )
      if (own !== undefined && (await isClosed(client, { nodeId, incarnation: own }))) return []
      const { rows: closed } = await client.query<{ incarnation: string }>(
        'select incarnation from sample_log_positions where node_id = $1 and closed_at is not null',
        [nodeId],
      )
      for (const { incarnation } of closed) {
        await client.query(`select pg_advisory_lock(${lockOf(incarnation)})`)
        await client.query(`select pg_advisory_unlock(${lockOf(incarnation)})`)
      }
      const { rows } = await client.query<{ incarnation: string; from: number; to: number }>(
        `select incarnation, ${from} as from, last.seq as to
         from sample_log_positions position
         cross join lateral (
           select max(log.seq) as seq from sample_log log
           where log.node_id = position.node_id and log.incarnation = position.incarnation
         ) last
         where node_id = $1 and closed_at is not null and last.seq > ${from}
         order by opened_at, incarnation`,
        [nodeId],
      )
      return rows.map((row) => ({ nodeId, ...row }))
    })
  }

  /** Notes that newest values are written of a log's rows up to `seq`. */
  async noteLatest({ nodeId, incarnation }: LogName, seq: number): Promise<void> {
    await withClient(this.#db, (client) =>
      client.query(
        `update sample_log_positions set latest_seq = greatest(latest_seq, $3)
         where node_id = $1 and incarnation = $2`,
        [nodeId, incarnation, seq],
      ),
    )
  }

  /** Notes that newest values are written of all rows of a node's logs that were ended. */
  async noteAllLatest(nodeId: string): Promise<void> {
    await withClient(this.#db, (client) =>
      client.query(
        'update sample_log_positions set is_latest_whole = true where node_id = $1 and closed_at is not null',
        [nodeId],
      ),
    )
  }

  /** The logs of other nodes that may have rows which newest values are not written of; `seq`: those up to it are. */
  async listBehind(): Promise<(LogName & { readonly seq: number })[]> {
    return withClient(this.#db, async (client) => {
      const { rows } = await client.query<LogName & { seq: number }>(
        `select node_id as "nodeId", incarnation, latest_seq as seq from sample_log_positions
         where not is_latest_whole and node_id <> $1 and latest_seq is not null`,
        [this.#nodeId],
      )
      return rows
    })
  }

  /** The stretches of all logs that are in no chunk. */
  async listSpans(): Promise<LogSpan[]> {
    return withClient(this.#db, async (client) => {
      const { rows } = await client.query<LogSpan>(
        `select node_id as "nodeId", incarnation, position.seq as from, last.seq as to
         from sample_log_positions position
         cross join lateral (
           select max(log.seq) as seq from sample_log log
           where log.node_id = position.node_id and log.incarnation = position.incarnation
         ) last
         where last.seq > position.seq
         order by opened_at, incarnation`,
      )
      return rows
    })
  }

  /** The nodes, other than this one, that have a log. */
  async listOtherNodes(): Promise<string[]> {
    return withClient(this.#db, async (client) => {
      const { rows } = await client.query<{ node_id: string }>(
        'select distinct node_id from sample_log_positions where node_id <> $1',
        [this.#nodeId],
      )
      return rows.map((row) => row.node_id)
    })
  }

  /** Whether another process has ended a log. */
  async isClosed(name: LogName): Promise<boolean> {
    return withClient(this.#db, (client) => isClosed(client, name))
  }

  /**
   * The statements that add a row, or none if this log is closed; they hold no lock that a reader can hold. As text, so
   * that they need one round trip to the database. `checkAdded` finds out from their results whether they added one.
   */
  rowStatements(ticket: LogTicket, samples: number, bytes: Buffer): string {
    return `${this.#lock(ticket)}; ${this.#insert(ticket, samples, bytes)}`
  }

  /** The same, and the batch's id with the row. */
  batchStatements(batchId: string, ticket: LogTicket, samples: number, bytes: Buffer): string {
    return `${this.#lock(ticket)};
      with logged as (${this.#insert(ticket, samples, bytes)} returning 1)
      insert into ingest_batches (id) select ${quote(batchId)}::uuid from logged`
  }

  /** A process that ends a log waits for this lock; the next statement sees whether the log was ended. */
  #lock({ generation: { log } }: LogTicket): string {
    return `select pg_advisory_xact_lock_shared(${lockOf(log.incarnation)})`
  }

  #insert({ seq, generation: { log } }: LogTicket, samples: number, bytes: Buffer): string {
    const [nodeId, incarnation] = [quote(log.nodeId), quote(log.incarnation)]
    return `insert into sample_log (node_id, incarnation, seq, committed_at, samples, bytes)
      select ${nodeId}, ${incarnation}, ${seq}, '${new Date(this.#now()).toISOString()}', ${samples},
             '\\x${bytes.toString('hex')}'
      where exists (
        select from sample_log_positions
        where node_id = ${nodeId} and incarnation = ${incarnation} and closed_at is null)`
  }

  /** Makes sure that a row of now has its partition. */
  async ready(): Promise<void> {
    if (!this.partitions.has(this.#now())) await this.partitions.ensureAhead()
  }

  /** One row of a log; undefined if it was not committed. */
  async find({ nodeId, incarnation }: LogName, seq: number): Promise<Buffer | undefined> {
    return withClient(this.#db, async (client) => {
      const { rows } = await client.query<{ bytes: Buffer }>(
        `select bytes from sample_log where node_id = $1 and incarnation = $2 and seq = $3`,
        [nodeId, incarnation, seq],
      )
      return rows[0]?.bytes
    })
  }

  /** The rows of a log after `from`, but for some that are known, in their order. */
  readAfter(
    { nodeId, incarnation }: LogName,
    from: number,
    known: readonly number[],
  ): AsyncGenerator<LogRow> {
    return readRows(
      this.#db,
      `select node_id as "nodeId", incarnation, seq, bytes from sample_log
       where node_id = $1 and incarnation = $2 and seq > $3 and seq <> all($4::bigint[]) order by seq`,
      [nodeId, incarnation, from, known],
    )
  }

  /** The rows of a stretch of a log, in their order. */
  read(span: LogSpan): AsyncGenerator<LogRow> {
    return readLog(this.#db, span)
  }
}

/** The rows of a stretch of a log, in their order. */
export function readLog(db: Database, { nodeId, incarnation, from, to }: LogSpan): AsyncGenerator<LogRow> {
  return readRows(
    db,
    `select node_id as "nodeId", incarnation, seq, bytes from sample_log
     where node_id = $1 and incarnation = $2 and seq > $3 and seq <= $4 order by seq`,
    [nodeId, incarnation, from, to],
  )
}

/** The samples of all logs that were committed from an instant on; those of one process in their order. */
export async function readLogSince(
  db: Database,
  at: number,
  sink: SampleSink,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  const text = `select node_id as "nodeId", incarnation, seq, bytes from sample_log
    where committed_at >= $1 order by committed_at, node_id, incarnation, seq`
  for await (const row of readRows(db, text, [new Date(at)])) decodeOrLog(row, sink, logger)
}

/** Gives the samples of a row to `sink`; a damaged one is logged. */
export function decodeOrLog(row: LogRow, sink: SampleSink, logger: Pick<Logger, 'error'>): void {
  try {
    decodeLogRow(row.bytes, sink)
  } catch (err) {
    if (!(err instanceof BytesDamaged)) throw err
    const { nodeId, incarnation, seq } = row
    logger.error({ err, nodeId, incarnation, seq }, 'sampleLog.damaged')
  }
}

async function* readRows(db: Database, text: string, values: unknown[]): AsyncGenerator<LogRow> {
  const slices = new Slices()
  const client = await takeClient(db)
  let isWhole = false
  try {
    await client.query('begin read only')
    await client.query({ text: `declare log_rows no scroll cursor for ${text}`, values })
    for (;;) {
      const { rows } = await client.query<LogRow>(`fetch ${rowsPerRead} from log_rows`)
      if (rows.length === 0) break
      for (const row of rows) {
        yield row
        await slices.next()
      }
    }
    await client.query('commit')
    isWhole = true
  } finally {
    client.release(!isWhole)
  }
}

/** Fails where the log was closed. `results`: of the statements that `statements` gave. */
export function checkAdded(results: pg.QueryResult | readonly pg.QueryResult[]): void {
  const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult | undefined
  if (last?.rowCount !== 1) throw new LogClosed('another process has taken the place of this one')
}

async function isClosed(client: pg.ClientBase, { nodeId, incarnation }: LogName): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from sample_log_positions where node_id = $1 and incarnation = $2 and closed_at is null',
    [nodeId, incarnation],
  )
  return rowCount === 0
}

/** Ends the open logs of a node, but for one; none where that one was ended. */
function closeOthers(nodeId: string, own: string | undefined, at: string): string {
  const others = `update sample_log_positions set closed_at = '${at}'
    where node_id = ${quote(nodeId)} and closed_at is null`
  if (own === undefined) return others
  return `${others} and incarnation <> ${quote(own)} and exists (
    select from sample_log_positions own
    where own.node_id = ${quote(nodeId)} and own.incarnation = ${quote(own)} and own.closed_at is null)`
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** As SQL: an incarnation's is shared by its commits; a node's is held while its logs are opened and ended. */
const lockOf = (name: string): string => `hashtext('sample_log'), hashtext(${quote(name)})`
