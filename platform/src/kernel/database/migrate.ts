import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { installJobTables } from '../jobs/install.ts'
import { silentS } from '../nodes/nodes-store.ts'
import { checkServer, type Database } from './database.ts'
import { withoutTimeLimits } from './time-limits.ts'

/** Any one number, the same for every Busbar: who holds this advisory lock migrates. */
export const migrationLockNumber = 4_807_526_976
/** Another node may be in the middle of a long migration. */
const lockWaitMsMax = 10 * 60_000

export const migrationsDir = join(import.meta.dirname, 'migrations')

/** A file `NNNN-name.ts` that exports `up(db)`; migrations cannot be reverted. */
export interface Migration {
  number: number
  name: string
  /** SHA-256 of the file: a migration that has run anywhere must never be edited. */
  checksum: string
  up(db: Kysely<unknown>): Promise<void>
  needsAlone(): Promise<boolean>
  /** The last migration of the development that it replaced when its release was closed. */
  replaces(): Promise<Replaced | undefined>
}

type Replaced = Pick<AppliedMigration, 'number' | 'name'>

/** A row of the table `migrations`. */
export interface AppliedMigration {
  number: number
  name: string
  checksum: string
}

/** Reads the folder. @throws when the numbers are not 1, 2, 3 … or a file has another form of name */
export async function listMigrations(dir = migrationsDir): Promise<Migration[]> {
  const files = (await readdir(dir))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
  const migrations: Migration[] = []
  for (const file of files) {
    const parts = /^(\d{4})-([a-z0-9-]+)\.ts$/.exec(file)
    const number = Number(parts?.[1])
    const name = parts?.[2]
    if (!name) throw new Error(`${join(dir, file)}: a migration is called NNNN-name.ts`)
    if (number !== migrations.length + 1) {
      throw new Error(`${join(dir, file)}: the next migration has number ${migrations.length + 1}`)
    }
    const path = join(dir, file)
    const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
    migrations.push({
      number,
      name,
      checksum: createHash('sha256').update(text).digest('hex'),
      up: (db) => runFile(path, db),
      needsAlone: async () => (await load(path)).needsAlone === true,
      replaces: async () => (await load(path)).replaces,
    })
  }
  return migrations
}

/** A migration's code is loaded only to run it: at most starts there is none to run. */
const load = (path: string): Promise<{ up?: unknown; needsAlone?: unknown; replaces?: Replaced }> =>
  import(pathToFileURL(path).href)

/** Loads a migration's code only to run it: most starts run none. */
async function runFile(path: string, db: Kysely<unknown>): Promise<void> {
  const { up } = await load(path)
  if (typeof up !== 'function') throw new Error(`${path} does not export up(db)`)
  await up(db)
}

/** The migrations that ran on this database, in order. */
export async function listAppliedMigrations(db: Kysely<unknown> | Database): Promise<AppliedMigration[]> {
  const found = await sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`.execute(
    db,
  )
  if (!found.rows[0]?.there) return []
  const { rows } = await sql<AppliedMigration>`
    select number, name, checksum from migrations order by number`.execute(db)
  return rows
}

/**
 * Brings the database to the code's version: checks the server, waits for others that migrate, and runs each missing
 * migration in its own transaction. Resolves to the numbers that ran.
 * @throws when a migration that ran here has been edited since, or the database is newer than this code
 */
export async function migrate(db: Database, dir = migrationsDir): Promise<number[]> {
  await checkServer(db)
  const known = await listMigrations(dir)
  return db.connection().execute(async (connection) => {
    const run = (statement: string) => sql.raw(statement).execute(connection)
    return withoutTimeLimits(run, async () => {
      await sql`select set_config('lock_timeout', ${String(lockWaitMsMax)}, false)`.execute(connection)
      await sql`select pg_advisory_lock(${migrationLockNumber}::bigint)`.execute(connection)
      try {
        await sql`reset lock_timeout`.execute(connection)
        const ran = await runMissing(connection, known)
        if (dir === migrationsDir) await installJobTables(connection as unknown as Kysely<never>)
        return ran
      } finally {
        // The server releases the lock of a lost connection by itself; its error must not hide the one that is thrown.
        await sql`select pg_advisory_unlock(${migrationLockNumber}::bigint)`
          .execute(connection)
          .catch(() => {})
      }
    })
  })
}

async function runMissing(connection: Database, known: Migration[]): Promise<number[]> {
  await sql`
    create table if not exists migrations (
      number int primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(connection)
  await adoptReplaced(connection, await listAppliedMigrations(connection), known)
  const applied = await listAppliedMigrations(connection)
  checkPast(applied, known)
  const ran: number[] = []
  for (const migration of known.slice(applied.length)) {
    const label = `${String(migration.number).padStart(4, '0')}-${migration.name}`
    if (await migration.needsAlone()) await checkAlone(connection, label)
    try {
      await connection.transaction().execute(async (tx) => {
        await migration.up(tx as unknown as Kysely<unknown>)
        await noteApplied(tx, migration)
      })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`Migration ${label} failed and was undone: ${reason}`, { cause })
    }
    ran.push(migration.number)
  }
  return ran
}

/**
 * When a release is closed, one migration replaces those of its development. A database that ran all of these has run the
 * one; of any other state of development there is no way on.
 */
async function adoptReplaced(
  connection: Database,
  applied: AppliedMigration[],
  known: Migration[],
): Promise<void> {
  const first = applied.find(({ number, checksum }) => known[number - 1]?.checksum !== checksum)
  const migration = first && known[first.number - 1]
  const last = applied.at(-1)
  const replaced = await migration?.replaces()
  if (!migration || replaced?.number !== last?.number || replaced?.name !== last?.name) return
  await connection.transaction().execute(async (tx) => {
    await sql`delete from migrations where number >= ${migration.number}`.execute(tx)
    await noteApplied(tx, migration)
  })
}

const noteApplied = (tx: Database, { number, name, checksum }: Migration) =>
  sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`.execute(tx)

/** @throws while a node of the version before works on the database */
async function checkAlone(connection: Database, label: string): Promise<void> {
  const found = await sql<{ there: boolean }>`select to_regclass('nodes') is not null as there`.execute(
    connection,
  )
  if (!found.rows[0]?.there) return
  const { rows } = await sql<{ id: string }>`
    select id from nodes where heartbeat_at > now() - make_interval(secs => ${silentS}) order by id`.execute(
    connection,
  )
  if (rows.length === 0) return
  throw new Error(
    `Migration ${label} cannot run beside nodes of the version before. Stop them, then start this one again: ` +
      `${rows.map(({ id }) => id).join(', ')}.`,
  )
}

function checkPast(applied: AppliedMigration[], known: Migration[]): void {
  if (applied.length > known.length) {
    throw new Error(
      `The database is at version ${applied.length}, newer than this Busbar, which knows ${known.length}. ` +
        'Start the newer Busbar, or restore a backup of this version into an empty database.',
    )
  }
  applied.forEach((past, index) => {
    const now = known[index]
    if (now?.number !== past.number || now.name !== past.name || now.checksum !== past.checksum) {
      throw new Error(
        `Migration ${past.number} (${past.name}) has already run on this database but is another one in this code. ` +
          'What has run is never edited: put it back and write a new migration.',
      )
    }
  })
}
