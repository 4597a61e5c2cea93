import { type Kysely, sql } from 'kysely'

/** The newest of what a machine told of its place stays when it is taken: who looks for the machine reads it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table machine_places drop column taken_at;
alter table told_places
  -- The names of what was told since it was last taken, and when that was.
  add column fresh text[] not null default '{gps,cells,wifi}',
  add column taken_at timestamptz;
alter table told_places alter column fresh drop default;
create index told_places_fresh on told_places (told_at) where fresh <> '{}';
`)
    .execute(db)
}
