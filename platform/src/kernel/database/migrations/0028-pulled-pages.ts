import { type Kysely, sql } from 'kysely'

/** The page that a program was given last, which its next pull counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Rows up to given_no went out; given_rows of those after counted_no are not counted yet.
alter table project_pulls add column given_no bigint not null default 0,
  add column given_rows integer not null default 0 check (given_rows >= 0);
`)
    .execute(db)
}
