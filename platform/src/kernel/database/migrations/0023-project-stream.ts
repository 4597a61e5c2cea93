import { type Kysely, sql } from 'kysely'

/** The streams of projects, in the database of the samples: without references to what is in the main one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
-- Each project's rows are numbered without holes: those from first_no on, below next_no, are kept.
create table project_streams (
  project_id bigint primary key,
  /* Other numbers than these were given out before a restore. */
  epoch uuid not null default gen_random_uuid(),
  first_no bigint not null default 1,
  next_no bigint not null default 1,
  bytes bigint not null default 0
);

create table project_stream (
  project_id bigint not null references project_streams on delete cascade,
  from_no bigint not null,
  to_no bigint not null,
  at timestamptz not null,
  bytes bytea not null,
  primary key (project_id, from_no)
);
alter table project_stream alter bytes set storage external;
create index project_stream_at on project_stream (at);

-- The process that reads the logs of samples for all projects. Each of its transactions takes the next turn, so that a
-- process which lost its place writes nothing more.
create table project_stream_reader (
  singleton boolean primary key default true check (singleton),
  holder text,
  leased_until timestamptz,
  turn bigint not null default 0,
  /* Whether there are projects that report: rows of the log wait for the reader. */
  is_reading boolean not null default false,
  /* Losses that machines reported until then are in the streams. */
  lost_until timestamptz
);
insert into project_stream_reader default values;

-- The rows of a log up to read_seq are in the streams, but for some whose commits were not seen yet.
create table project_stream_logs (
  node_id text not null,
  incarnation text not null,
  read_seq bigint not null,
  missing bigint[] not null default '{}',
  primary key (node_id, incarnation)
);

-- What was gathered for rows of an interval that is not over, of the rows up to these positions.
create table project_stream_open (
  project_id bigint primary key,
  every_ms int not null,
  /* Intervals up to here have their rows. */
  closed_until timestamptz not null,
  positions jsonb not null,
  bytes bytea not null
);

create index lost_spans_received on lost_spans (received_at);
`)
    .execute(db)
}
