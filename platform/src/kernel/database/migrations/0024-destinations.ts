import { type Kysely, sql } from 'kysely'

/** Destinations: where projects send their rows, how far each has come, and what was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(destinations).execute(db)
  await sql.raw(deliveries).execute(db)
}

const destinations = `
create table destinations (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  type text not null check (type in ('webhook', 'mqtt')),
  url text not null,
  format text not null check (format in ('json', 'flat', 'sparkplug')),
  is_ndjson boolean not null,
  is_gzip boolean not null,
  rows_max smallint not null check (rows_max between 1 and 1000),
  has_rows boolean not null,
  events text[] not null,
  mqtt jsonb,
  mqtt_secrets bytea,
  state text not null default 'on' check (state in ('on', 'off', 'switchedOff')),
  switched_off text check (switched_off in ('gone', 'failedTooLong', 'operator')),
  -- Members were told that it fails.
  is_failure_told boolean not null default false,
  -- The times between which rows of the stream were gone before they were sent.
  gaps integer not null default 0,
  gap_from timestamptz,
  gap_to timestamptz,
  -- How far each lane was when there was another number of lanes; empty once all lanes are beyond.
  former_lanes jsonb not null default '[]',
  created_at timestamptz not null,
  check ((state = 'switchedOff') = (switched_off is not null)),
  check ((gap_from is null) = (gap_to is null))
);
create index destinations_project on destinations (project_id);

create table destination_secrets (
  id bigint generated always as identity primary key,
  destination_id bigint not null references destinations on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz
);
create index destination_secrets_destination on destination_secrets (destination_id, created_at desc);
create index destination_secrets_ends on destination_secrets (ends_at) where ends_at is not null;
create unique index destination_secrets_newest on destination_secrets (destination_id) where ends_at is null;

-- A part of a destination's machines. Of one lane, requests go out one after another.
create table destination_lanes (
  destination_id bigint not null references destinations on delete cascade,
  lane smallint not null check (lane between 0 and 7),
  -- The receiver has the rows of the stream up to this one, the last of which was of this time.
  acked_no bigint not null,
  acked_time timestamptz,
  epoch uuid,
  -- The last row of the request that is tried again: each try has the same rows.
  batch_to_no bigint,
  tries smallint not null default 0,
  refusals smallint not null default 0,
  next_try_at timestamptz,
  failing_since timestamptz,
  fault text,
  status smallint,
  last_ok_at timestamptz,
  -- The process that works on it. Each taking has another turn, so that one which lost it moves nothing more.
  holder text,
  leased_until timestamptz not null default '-infinity',
  turn bigint not null default 0,
  primary key (destination_id, lane),
  check (batch_to_no > acked_no)
);
create index destination_lanes_leased on destination_lanes (leased_until);
`

const deliveries = `
-- Requests of a lane that succeed within seconds of one another are one row.
create table deliveries (
  id bigint generated always as identity primary key,
  destination_id bigint not null references destinations on delete cascade,
  at timestamptz not null,
  state text not null check (state in ('ok', 'failed', 'dead', 'resent')),
  requests integer not null default 1,
  rows integer not null,
  bytes bigint not null,
  http_status smallint,
  attempts smallint not null,
  ms integer,
  fault text,
  -- The beginning of the receiver's answer, where it refused.
  answer text not null default ''
);
create index deliveries_destination on deliveries (destination_id, id desc);
create index deliveries_state on deliveries (destination_id, state, id desc);
create index deliveries_at on deliveries (at);

create table dead_letters (
  delivery_id bigint primary key references deliveries on delete cascade,
  -- Its id in every try.
  webhook_id text not null,
  request text not null,
  -- Its rows as JSON, zstd.
  rows bytea not null
);
alter table dead_letters alter rows set storage external;
`
