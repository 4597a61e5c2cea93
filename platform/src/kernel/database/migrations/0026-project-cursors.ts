import { type Kysely, sql } from 'kysely'

/** How far programs have fetched a project's rows: by calls, and by sessions of our own MQTT endpoint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Rows up to counted_no were counted for the quota; machine_code is empty for pulls of all machines.
create table project_pulls (
  project_id bigint not null references projects on delete cascade,
  machine_code text not null,
  epoch uuid not null,
  counted_no bigint not null,
  primary key (project_id, machine_code)
);

-- A session has the rows up to no. Without an epoch its project had no stream when it began.
create table project_sessions (
  project_id bigint not null references projects on delete cascade,
  client_id text not null,
  /* The connection that moves it; another one has taken the session over. */
  holder uuid not null,
  filters jsonb not null default '[]',
  epoch uuid,
  no bigint not null,
  moved_at timestamptz not null,
  kept_s int not null,
  expires_at timestamptz not null,
  primary key (project_id, client_id)
);
create index project_sessions_expires on project_sessions (expires_at);
`)
    .execute(db)
}
