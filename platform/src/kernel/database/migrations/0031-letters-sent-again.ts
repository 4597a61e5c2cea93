import { type Kysely, sql } from 'kysely'

/** Dead letters are sent again by one person at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Somebody sends it again until then; a process that dies leaves it so.
alter table dead_letters add column sending_until timestamptz;
`)
    .execute(db)
}
