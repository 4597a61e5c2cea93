import { type Kysely, sql } from 'kysely'

/** Files that the platform makes for people and keeps for a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(files).execute(db)
}

// The bytes lie in FILES_DIR under `key`. Those of a row that is gone are removed by a job.
const files = `
create table files (
  id bigint generated always as identity primary key,
  key text not null unique,
  user_id bigint not null references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  purpose text not null check (purpose in ('export', 'report')),
  name text not null,
  media_type text not null,
  bytes bigint not null default 0 check (bytes >= 0),
  state text not null check (state in ('writing', 'ready', 'failed', 'expired')),
  made_at timestamptz not null,
  written_at timestamptz not null,
  expires_at timestamptz not null
);
create index files_user on files (user_id);
create index files_enterprise on files (enterprise_id);
create index files_expires on files (expires_at);
create index files_writing on files (written_at) where state = 'writing';
`
