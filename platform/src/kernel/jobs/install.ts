import { createRequire } from 'node:module'
import { type Kysely, sql } from 'kysely'
import { jobsSchema } from './boss.ts'

/**
 * Brings pg-boss's own tables to the version of the library. Call it on a connection that holds the lock of the
 * migrations: the library's statements bring their own transaction.
 */
export async function installJobTables(connection: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass(${`${jobsSchema}.version`}) is not null as there`.execute(connection)
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss')
  if (!rows[0]?.there) {
    await sql.raw(getConstructionPlans(jobsSchema)).execute(connection)
    return
  }
  const found = await sql<{ version: number }>`select version from jobs.version`.execute(connection)
  const version = found.rows[0]?.version ?? 0
  if (version < libraryVersion()) await sql.raw(getMigrationPlans(jobsSchema, version)).execute(connection)
}

/** The version of the tables that the library works on. */
function libraryVersion(): number {
  const require = createRequire(import.meta.url)
  const { pgboss } = require('pg-boss/package.json') as { pgboss: { schema: number } }
  return pgboss.schema
}
