import type { ClientBase } from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import type { Logger } from '../../../kernel/logger.ts'

/** The log is dropped in pieces of this length. */
export const logPieceMs = 10 * 60_000
/** Rows stay for so long: newest values and rules are made good from them after a crash. */
export const logKeptMs = 2 * 3_600_000
const piecesAhead = 6
const lockNotAvailable = '55P03'
const duplicateTable = '42P07'

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

  constructor(options: { db: Database; logger: Logger; now: () => number }) {
    this.#db = options.db
    this.#logger = options.logger
    this.#now = options.now
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
   * Drops old partitions whose rows are all in chunks. It never waits for a lock: while a reader or a backup has a partition
   * it stays, because commits would queue behind the one that waits.
   */
  async drop(): Promise<void> {
    const before = pieceOf(this.#now() - logKeptMs)
    await withClient(this.#db, async (client) => {
      for (const name of await listPieces(client)) {
        const piece = pieceNamed(name)
        if (piece === undefined || piece >= before) continue
        if (await dropFlushed(client, name)) this.#logger.info({ partition: name }, 'sampleLog.dropped')
      }
      await client.query(
        `delete from sample_log_positions position
         where closed_at < $1 and not exists (
           select from sample_log log
           where log.node_id = position.node_id and log.incarnation = position.incarnation)`,
        [new Date(before * logPieceMs)],
      )
    })
  }
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
