import { type Kysely, sql } from 'kysely'

/** Exports of values that people asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(exports).execute(db)
}

// An export has the id of its job. At most one of a person is with a job at a time; the others wait here.
const exports = `
create table exports (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  wish jsonb not null,
  state text not null check (state in ('waiting', 'running', 'ready', 'failed', 'cancelled')),
  progress float8 not null default 0,
  rows bigint,
  damaged int not null default 0,
  file_id bigint references files on delete set null,
  reason text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
create index exports_user on exports (user_id, created_at);
create index exports_open on exports (user_id) where state in ('waiting', 'running');
create index exports_file on exports (file_id);
create index exports_created on exports (created_at);
`
