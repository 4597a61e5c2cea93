import { type Kysely, sql } from 'kysely'

/** Replays: rows of history that are on their way to a destination. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table destination_replays (
  destination_id bigint primary key references destinations on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- The receiver has the rows of the machines before this link, and of this one up to an instant.
  link_id bigint not null default 0,
  sent_to timestamptz not null,
  check (from_at < to_at)
);
`)
    .execute(db)
}
