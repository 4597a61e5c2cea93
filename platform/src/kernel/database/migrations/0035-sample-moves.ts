import { type Kysely, sql } from 'kysely'

/** How far the samples of version 1.5, a row each, are moved into chunks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(moves).execute(db)
}

// Everything of a partition of `samples` up to this tag and time is in chunks. The row goes with the partition.
const moves = `
create table sample_moves (
  partition text primary key,
  tag_id bigint not null default 0,
  /* Microseconds since 1970, as exact as a sample's time. */
  micros bigint not null default 0,
  samples bigint not null default 0,
  began_at timestamptz not null default now()
);
`
