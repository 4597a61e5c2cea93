import { type Kysely, sql } from 'kysely'

/** A batch's id can be closed, so that a commit under it whose answer was lost cannot come true afterwards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ingest_batches add column is_closed boolean not null default false`.execute(db)
}
