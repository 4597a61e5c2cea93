import type { ClientBase } from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { LogName } from './tail.ts'

/** The log is dropped in pieces of this length. */
export const logPieceMs = 10 * 60_000
/** Rows stay for so long: newest values and rules are made good from them after a crash. */
export const logKeptMs = 2 * 3_600_000
/** A reader of the log is waited for as long. */
const readerWaitMsMax = 6 * 3_600_000
const piecesAhead = 6
const lockNotAvailable = '55P03'
const duplicateTable = '42P07'

/** Reads the logs of all processes in its own time; their rows are kept until it has read them. */
export interface LogReader {
  /** The last row of each log before which it has read every one; undefined while it does not read. */
  listRead(): Promise<readonly (LogName & { readonly seq: number })[] | undefined>
  /** Rows of a span of time go without having been read. */
  missed(from: number, to: number): Promise<void>
}

/** Ten minutes of the log, counted from 1970. */
type Piece = number

const pieceOf = (at: number): Piece => Math.floor(at / logPieceMs)

const nameOf = (piece: Piece): string =>
  `sample_log_${new Date(piece * logPieceMs).toISOString().slice(0, 16).replace(/\D/g, '')}`

function pieceNamed(name: string): Piece | undefined {
  const parts = /^sample_log_(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(name)
  if (!parts) return undefined
  const [year = 0, month = 0, day, hour, minute] = parts.slice(1).map(Number)
  return pieceOf(Date.UTC(year, month - 1, day, hour, minute))
}

/** The partitions of `sample_log`: made ahead, and dropped when everything in them is in chunks and old enough. */
export class LogPartitions {
  readonly #db: Database
  readonly #logger: Logger
  readonly #now: () => number
  readonly #known = new Set<Piece>()
  #reader: LogReader | undefined

  constructor(options: { db: Database; logger: Logger; now: () => number }) {
    this.#db = options.db
    this.#logger = options.logger
    this.#now = options.now
  }

  /** Keeps rows until `reader` has read them, for some hours. */
  keepFor(reader: LogReader): void {
    this.#reader = reader
  }

  /** Whether rows of this instant have their partition. */
  has(at: number): boolean {
    return this.#known.has(pieceOf(at))
  }

  /** Makes the partitions of now and of the next hour. */
  async ensureAhead(at = this.#now()): Promise<void> {
    const first = pieceOf(at)
    const missing = Array.from({ length: piecesAhead + 1 }, (_, index) => first + index).filter(
      (piece) => !this.#known.has(piece),
    )
    if (missing.length === 0) return
    await withClient(this.#db, async (client) => {
      for (const piece of missing) await createPiece(client, piece)
    })
    for (const piece of missing) this.#known.add(piece)
    for (const piece of this.#known) if (piece < first) this.#known.delete(piece)
  }

  /**
   * Drops old partitions whose rows are all in chunks, and read. It never waits for a lock: while a reader or a backup has a
   * partition it stays, because commits would queue behind the one that waits.
   */
  async drop(): Promise<void> {
    const before = pieceOf(this.#now() - logKeptMs)
    const given = pieceOf(this.#now() - readerWaitMsMax)
    const read = await this.#reader?.listRead()
    const missed: Piece[] = []
    await withClient(this.#db, async (client) => {
      for (const name of await listPieces(client)) {
        const piece = pieceNamed(name)
        if (piece === undefined || piece >= before) continue
        const isRead = !read || !(await hasUnread(client, name, read))
        if (!isRead && piece >= given) continue
        if (!(await dropFlushed(client, name))) continue
        if (!isRead) missed.push(piece)
        this.#logger.info({ partition: name }, 'sampleLog.dropped')
      }
      await client.query(
        `delete from sample_log_positions position
         where closed_at < $1 and not exists (
           select from sample_log log
           where log.node_id = position.node_id and log.incarnation = position.incarnation)`,
        [new Date(before * logPieceMs)],
      )
    })
    for (const piece of missed) await this.#reader?.missed(piece * logPieceMs, (piece + 1) * logPieceMs)
  }
}

/** Whether a partition has a row behind what is read of its log. */
async function hasUnread(
  client: ClientBase,
  name: string,
  read: readonly (LogName & { readonly seq: number })[],
): Promise<boolean> {
  const { rows } = await client.query<{ unread: boolean }>(
    `select exists (
       select from ${name} log left join jsonb_to_recordset($1::jsonb) as read ("nodeId" text, incarnation text, seq bigint)
         on read."nodeId" = log.node_id and read.incarnation = log.incarnation
       where log.seq > coalesce(read.seq, 0)) as unread`,
    [JSON.stringify(read)],
  )
  return rows[0]?.unread === true
}

async function createPiece(client: ClientBase, piece: Piece): Promise<void> {
  const name = nameOf(piece)
  const [from, to] = [piece, piece + 1].map((each) => new Date(each * logPieceMs).toISOString())
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('sample_log partitions'))`)
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      name,
    ])
    if (!rows[0]?.there) {
      // Attached, not created as a partition: that would lock out every commit.
      await client.query(`create table ${name} (like sample_log including defaults including storage)`)
      await client.query(
        `alter table sample_log attach partition ${name} for values from ('${from}') to ('${to}')`,
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (codeOf(error) !== duplicateTable) throw error
  }
}

async function listPieces(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
     where inhparent = 'sample_log'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Drops a partition unless it is in use, or has a row that is in no chunk or that newest values are not written of. */
async function dropFlushed(client: ClientBase, name: string): Promise<boolean> {
  await client.query('begin')
  try {
    // Its rows go first, which needs no lock on the other partitions: the partition is empty then, and dropped quickly.
    await client.query(`lock table only ${name} in access exclusive mode nowait`)
    const { rows } = await client.query<{ needed: boolean }>(
      `select exists (
         select from ${name} log left join sample_log_positions position using (node_id, incarnation)
         where position.seq is null or log.seq > least(position.seq, position.latest_seq)) as needed`,
    )
    if (rows[0]?.needed !== false) {
      await client.query('rollback')
      return false
    }
    await client.query(`truncate only ${name}`)
    await client.query('commit')
    await client.query('begin')
    await client.query('lock table only sample_log in access exclusive mode nowait')
    await client.query(`drop table ${name}`)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (codeOf(error) === lockNotAvailable) return false
    throw error
  }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''
