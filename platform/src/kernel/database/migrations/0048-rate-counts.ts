import { type Kysely, sql } from 'kysely'

/** Tries against guessing, counted for all processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}

// Not logged: after a crash of the server the windows begin anew, as they do in the memory of a process that crashes.
const tables = `
create unlogged table rate_counts (
  counted text not null,
  key text not null,
  tries int not null,
  ends_at timestamptz not null,
  primary key (counted, key)
) with (fillfactor = 70);
create index rate_counts_end on rate_counts (ends_at);

create unlogged table rate_marks (
  key bytea primary key,
  until timestamptz not null
);
`
