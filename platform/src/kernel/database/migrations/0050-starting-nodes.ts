import { type Kysely, sql } from 'kysely'

/** Whether a node still starts, so that none that stops hands its machines over to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // False where a node of the version before writes the row.
  await sql`alter table nodes add column is_starting boolean not null default false`.execute(db)
}
