import { type Kysely, sql } from 'kysely'

/** When a program last asked for a project's rows with a key, and not for a visit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table project_keys add column last_fetched_at timestamptz').execute(db)
}
