import type { Duplex } from 'node:stream'
import { Kysely, PostgresDialect, type Transaction, type TransactionBuilder } from 'kysely'
import pg from 'pg'
import { executeWithActs } from './after-commit.ts'
import { connectionUrl, type PostgresConnection } from './connection.ts'
import { findSecondConnection, holding, type SecondConnection } from './held-connections.ts'
import { keptPlanName } from './kept-plan.ts'
import type { DB } from './schema.gen.ts'
import { idleInTransactionMsMax, limitTransactions, statementMsMax, transactionMsMax } from './time-limits.ts'

/** The platform's database, or a transaction on it: both are passed around as this. */
export type Database = Kysely<DB>

const poolMaxDefault = 10
const connectWaitMsMax = 10_000
const idleConnectionMsMax = 60_000
/** Tries of one transaction that keeps meeting deadlocks or serialization failures. */
const transactionTriesMax = 4
const versionMin = 15

/** pg's message when `query_timeout` is over. */
const readTimeoutMessage = 'Query read timeout'

const int8Oid = 20
const dateOid = 1082
const int8ArrayOid = 1016

const pools = new WeakMap<object, WatchedPool>()

/** The options of a pool of connections; times in milliseconds. */
export interface DatabaseOptions {
  readonly poolMax?: number
  readonly statementMsMax?: number
  readonly queryMsMax?: number
  /** Longest wait of a statement for a lock; the statement's own limit if left out. */
  readonly lockMsMax?: number
  /** Longest duration of a transaction, if the server has this limit (PostgreSQL 17). */
  readonly transactionMsMax?: number
  /** Told who asks for a connection while holding one of the same database; without it the asking fails. */
  readonly onSecondConnection?: ((error: SecondConnection) => void) | undefined
}

/**
 * Opens a pool of connections, lazily: nothing is connected before the first query. `bigint` comes as a number
 * (beyond 2^53 it throws; read such columns with `::text`), `timestamptz` as Date, `date` and `numeric` as text.
 * Close it with `destroy()`. A statement over `statementMsMax` is ended by the server; a connection that has not answered
 * a query within `queryMsMax` is given up.
 */
export function openDatabase(
  connection: PostgresConnection | string,
  options: DatabaseOptions = {},
): Database {
  const address = typeof connection === 'string' ? { connectionString: connection } : connection
  const pool = new WatchedPool({
    ...address,
    max: options.poolMax ?? poolMaxDefault,
    connectionTimeoutMillis: options.queryMsMax ?? connectWaitMsMax,
    idleTimeoutMillis: idleConnectionMsMax,
    statement_timeout: options.statementMsMax ?? statementMsMax,
    ...(options.lockMsMax === undefined ? {} : { lock_timeout: options.lockMsMax }),
    ...(options.queryMsMax === undefined ? {} : { query_timeout: options.queryMsMax }),
    idle_in_transaction_session_timeout: idleInTransactionMsMax,
    application_name: 'busbar',
    types: { getTypeParser: parserOf },
    Client: PlanKeepingClient,
    onConnect: (client) => limitTransactions(client, options.transactionMsMax ?? transactionMsMax),
  })
  // Without listeners, a connection that breaks while idle, or in a transaction between two statements, would end the
  // process. The next query on it fails and reports the error to its caller.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    pool.follow(client)
  })
  pool.database = typeof connection === 'string' ? connection : connectionUrl(connection)
  if (options.onSecondConnection) pool.onSecondConnection = options.onSecondConnection
  const db = new PlatformDatabase({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** Its transactions hold their connection until they end, and run the acts of `afterCommit` after their commit. */
class PlatformDatabase extends Kysely<DB> {
  override transaction(): TransactionBuilder<DB> {
    const builder = super.transaction()
    const executePlain = builder.execute.bind(builder)
    const execute = <T>(work: (trx: Transaction<DB>) => Promise<T>) =>
      executePlain((trx) => holding(poolOf(this).database, () => work(trx)))
    return Object.assign(builder, {
      execute: <T>(work: (trx: Transaction<DB>) => Promise<T>) => executeWithActs(this, execute<T>, work),
    })
  }

  /** Closes every connection, those of `takeClient` included: Kysely ends only a pool that it has used itself. */
  override async destroy(): Promise<void> {
    await super.destroy()
    await poolOf(this).close()
  }
}

/** Notices who asks for a connection while holding one of the same database. */
class WatchedPool extends pg.Pool {
  readonly #ends = new Set<Promise<unknown>>()
  database = ''
  onSecondConnection = (error: SecondConnection): void => {
    throw error
  }

  // `never` fits the answers of both overloads; the real answer is pg's own.
  override connect(...args: unknown[]): never {
    const second = findSecondConnection(this.database)
    if (second) this.onSecondConnection(second)
    return super.connect(...(args as [])) as never
  }

  /** Knows a new connection until its end. */
  follow(client: pg.PoolClient): void {
    const end = new Promise<void>((resolve) => client.once('end', resolve))
    this.#ends.add(end)
    void end.then(() => this.#ends.delete(end))
  }

  /** Ends the pool, and waits for its connections: pg counts one as ended before its server has closed it. */
  async close(): Promise<void> {
    if (!this.ending) await this.end()
    await Promise.all(this.#ends)
  }
}

/**
 * Keeps statements marked by `withKeptPlan` as named prepared statements of its connection. A connection whose answer
 * did not come in time is closed: the next query on it would wait for that answer too.
 */
class PlanKeepingClient extends pg.Client {
  // `never` fits the answers of all overloads; the real answer is pg's own.
  override query(config: unknown, ...rest: unknown[]): never {
    const name = typeof config === 'string' ? keptPlanName(config) : undefined
    const statement = name === undefined ? config : { name, text: config }
    const answer: unknown = super.query(statement as string, ...(rest as []))
    if (answer instanceof Promise) answer.catch((error) => this.#closeSilent(error))
    return answer as never
  }

  #closeSilent(error: unknown): void {
    if (!(error instanceof Error) || error.message !== readTimeoutMessage) return
    const { connection } = this as unknown as { connection: { stream: Duplex } }
    connection.stream.destroy()
  }
}

/** Connections of a pool; `waiting`: queries that wait for one. */
export interface PoolStats {
  readonly open: number
  readonly idle: number
  readonly max: number
  readonly waiting: number
}

/** The load on the pool of a handle of `openDatabase`. */
export function poolStats(db: Database): PoolStats {
  const pool = poolOf(db)
  return {
    open: pool.totalCount,
    idle: pool.idleCount,
    max: pool.options.max ?? poolMaxDefault,
    waiting: pool.waitingCount,
  }
}

function poolOf(db: Database): WatchedPool {
  const pool = pools.get(db)
  if (!pool)
    throw new Error(
      'This database handle was not made by openDatabase; a transaction has no pool of its own.',
    )
  return pool
}

/** Takes a connection out of `db`'s pool, until its `release`; what only one piece of work needs is lent by `withClient`. */
export async function takeClient(db: Database): Promise<pg.PoolClient> {
  return poolOf(db).connect()
}

/**
 * Lends a connection of `db`'s pool for work that Kysely cannot do, mainly COPY. A connection on which `work` threw is
 * thrown away: it may be in the middle of a transaction or a COPY.
 */
export async function withClient<T>(db: Database, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await takeClient(db)
  try {
    const result = await holding(poolOf(db).database, () => work(client))
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Runs `work` in one transaction, and again when a deadlock or a serialization failure undid it: its only effects
 * outside the database must be by `afterCommit`. Within a transaction it joins that one.
 */
export async function withTransaction<T>(
  db: Database,
  work: (tx: Transaction<DB>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<DB>)
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (tries >= transactionTriesMax || !wasUndone(error)) throw error
    }
  }
}

/** A server's description of itself. */
export interface ServerFacts {
  version: string
  /** `server_version_num`: 180004 is 18.4. */
  number: string
  encoding: string
  recovering: boolean
}

/**
 * Checks that the server can be used at all.
 * @throws with the reason in words for the person who set DATABASE_URL
 */
export async function checkServer(db: Database): Promise<void> {
  const { rows } = await withClient(db, (client) =>
    client.query<ServerFacts>(
      `select current_setting('server_version') as version, current_setting('server_version_num') as number,
              current_setting('server_encoding') as encoding, pg_is_in_recovery() as recovering`,
    ),
  )
  const fault = rows[0] ? findServerFault(rows[0]) : 'The database server did not say what it is.'
  if (fault) throw new Error(fault)
}

/** Why the platform cannot work on such a server; undefined when it can. */
export function findServerFault(server: ServerFacts): string | undefined {
  if (Number(server.number) < versionMin * 10_000) {
    return `The database is PostgreSQL ${server.version}; Busbar needs ${versionMin} or newer.`
  }
  if (server.encoding !== 'UTF8') return `The database's encoding is ${server.encoding}; Busbar needs UTF8.`
  if (server.recovering) return 'The database is a read-only replica; Busbar needs the primary.'
  return undefined
}

function wasUndone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
}

function parserOf(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary') {
    if (oid === int8Oid) return parseInt8
    // A date is not an instant; pg would convert it to one in the process's zone.
    if (oid === dateOid) return (value) => value
    if (oid === int8ArrayOid) {
      const parseArray = (pg.types.getTypeParser as (oid: number) => (value: string) => (string | null)[])(
        int8ArrayOid,
      )
      return (value) => parseArray(value).map((item) => (item === null ? null : parseInt8(item)))
    }
  }
  return pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format)
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`A bigint from the database is beyond 2^53; read that column as text.`)
  }
  return value
}
