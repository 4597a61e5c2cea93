import { randomBytes } from 'node:crypto'
import { connectionUrl, type PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { withoutHolds } from '@busbar/platform/kernel/database/held-connections.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { testPostgres } from './test-postgres.ts'

const templateName = 'busbar_template'
/** Any one number: who holds this advisory lock makes the template. */
const templateLockNumber = 7_778_742_049
const poolMaxDefault = 4

/** A separate database, migrated, on the real server. */
export interface TestDatabase {
  db: Database
  /** For what takes a connection instead of a handle: a platform under test, a second pool. */
  connection: PostgresConnection
  /** The same as a DATABASE_URL. */
  url: string
  /** Closes `db` and removes the database, even if others are still connected to it. */
  drop(): Promise<void>
}

/** Clones a migrated database in some 30 ms; `empty`: one without any table. Drop it when done. */
export async function createTestDatabase(
  options: { empty?: boolean; poolMax?: number } = {},
): Promise<TestDatabase> {
  const server = testPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  await withServer(server, async (client) => {
    if (options.empty) {
      await client.query(`create database ${name} strategy file_copy`)
      return
    }
    await ensureTemplate(server)
    await client.query(`create database ${name} template ${templateName} strategy file_copy`)
  })
  const connection = { ...server, database: name }
  const db = openDatabase(connection, { poolMax: options.poolMax ?? poolMaxDefault })
  return {
    db,
    connection,
    url: connectionUrl(connection),
    async drop() {
      await db.destroy()
      await withServer(server, (client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Number of statements on this database that wait for a lock. */
export async function countLockWaits(db: Database): Promise<number> {
  // Tests look while they hold a lock in a transaction of their own.
  const { rows } = await withoutHolds(() =>
    sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
  )
  return rows.length
}

/** Lets a test do other things on the database while it holds locks in a transaction of its own: the rule is the product's. */
export const aside =
  <Held, Result>(work: (held: Held) => Result) =>
  (held: Held): Result =>
    withoutHolds(() => work(held))

/** By server, because a worker runs several test files, and some of them start a separate server. */
const templates = new Map<string, Promise<void>>()

function ensureTemplate(server: PostgresConnection): Promise<void> {
  const url = connectionUrl(server)
  const template = templates.get(url) ?? makeTemplate(server)
  templates.set(url, template)
  return template
}

/** Test processes run side by side: the first to come migrates, the others wait for it. */
async function makeTemplate(server: PostgresConnection): Promise<void> {
  await withServer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLockNumber])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [templateName])
    if (rowCount) return
    // Under another name until it is complete, so that the template's name always means a complete one.
    const making = `${templateName}_making`
    await client.query(`drop database if exists ${making} with (force)`)
    await client.query(`create database ${making} strategy file_copy`)
    const db = openDatabase({ ...server, database: making }, { poolMax: 1 })
    try {
      await migrate(db)
    } finally {
      await db.destroy()
    }
    await client.query(`alter database ${making} rename to ${templateName}`)
  })
}

async function withServer(
  server: PostgresConnection,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
