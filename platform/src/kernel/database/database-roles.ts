import { sql } from 'kysely'
import { type Database, withClient, withTransaction } from './database.ts'
import { withoutHolds } from './held-connections.ts'

/** Any one number: who holds this advisory lock decides which part of an installation a database holds. */
const roleLockNumber = 4_807_526_977

interface DatabaseRole {
  readonly installation: string
  readonly role: 'whole' | 'main' | 'samples'
}

/** The databases do not belong together; the message has the reason and the remedy. */
class DatabasesDiffer extends Error {
  override name = 'DatabasesDiffer'
}

/**
 * Checks that the databases of DATABASE_URL and TELEMETRY_URL belong to one installation, and that all samples are in
 * the database that is read. The first start with a second database binds the two; both have run their migrations.
 * @throws DatabasesDiffer
 */
export async function bindDatabases(main: Database, samples?: Database): Promise<void> {
  const role = await readRole(main)
  if (role.role === 'samples')
    throw new DatabasesDiffer(
      'DATABASE_URL names a database that holds samples alone. It belongs into TELEMETRY_URL.',
    )
  if (!samples) {
    if (role.role === 'whole') return
    throw new DatabasesDiffer(
      'The samples of this installation are in a second database: set TELEMETRY_URL to it, as before.',
    )
  }
  await withTransaction(main, async (trx) => {
    await sql`select pg_advisory_xact_lock(${roleLockNumber}::bigint)`.execute(trx)
    await bind(trx, samples)
  })
}

/** Whether the samples of this installation are in a second database. */
export async function areSamplesElsewhere(main: Database): Promise<boolean> {
  return (await readRole(main)).role === 'main'
}

/** Runs while this process holds the lock of `main`, and so finds out whether `samples` is the same database. */
async function bind(main: Database, samples: Database): Promise<void> {
  if (await withoutHolds(() => isLocked(samples)))
    throw new DatabasesDiffer(
      'TELEMETRY_URL names the same database as DATABASE_URL. Give the samples a database of their own, or unset it.',
    )
  const [own, other] = [await readRole(main), await readRole(samples)]
  if (other.role === 'main')
    throw new DatabasesDiffer(
      'TELEMETRY_URL names the main database of an installation, not one for samples.',
    )
  const isSame = own.installation === other.installation
  if (other.role === 'samples' && isSame) {
    if (own.role === 'whole') await becomeMain(main)
    return
  }
  if (other.role === 'samples')
    throw new DatabasesDiffer('TELEMETRY_URL names the samples of another installation.')
  if (own.role === 'main')
    throw new DatabasesDiffer(
      'The samples of this installation are in another database than the one that TELEMETRY_URL names.',
    )
  // A copy of the whole database has its samples; from now on they are read from the copy.
  if (!isSame) {
    if (await hasSamples(main))
      throw new DatabasesDiffer(
        'The database has samples, and TELEMETRY_URL names another one without them. Stop Busbar, copy the whole ' +
          'database there (pg_dump, then pg_restore into an empty one), and start again; see docs/operations.md.',
      )
    if ((await hasSamples(samples)) || (await hasMachines(samples)))
      throw new DatabasesDiffer('TELEMETRY_URL names a database that another installation uses.')
  }
  await sql`update database_role set role = 'samples', installation = ${own.installation}`.execute(samples)
  await becomeMain(main)
}

/** The id that an installation got with its first start. */
export async function readInstallation(main: Database): Promise<string> {
  return (await readRole(main)).installation
}

async function readRole(db: Database): Promise<DatabaseRole> {
  return db
    .selectFrom('database_role')
    .select(['installation', 'role'])
    .executeTakeFirstOrThrow() as Promise<DatabaseRole>
}

const becomeMain = (main: Database) => sql`update database_role set role = 'main'`.execute(main)

/** Advisory locks are of one database each. */
async function isLocked(db: Database): Promise<boolean> {
  return withClient(db, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      roleLockNumber,
    ])
    if (!rows[0]?.mine) return true
    await client.query('select pg_advisory_unlock($1)', [roleLockNumber])
    return false
  })
}

async function hasSamples(db: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from samples) or exists (select from sample_chunks) or exists (select from sample_log) as has`.execute(
    db,
  )
  return rows[0]?.has === true
}

async function hasMachines(db: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select from machines) as has`.execute(db)
  return rows[0]?.has === true
}
