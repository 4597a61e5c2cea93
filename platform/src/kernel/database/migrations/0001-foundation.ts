import { type Kysely, sql } from 'kysely'

/** People, sessions, machines, their tags and samples: what everything later stands on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(people).execute(db)
  await sql.raw(machines).execute(db)
  await sql.raw(telemetry).execute(db)
  await sql.raw(events).execute(db)
}

const people = `
create table users (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 64),
  country_code text,
  phone text,
  email text,
  phone_verified_at timestamptz,
  email_verified_at timestamptz,
  password_hash text not null,
  state text not null default 'active' check (state in ('active', 'locked')),
  is_operator boolean not null default false,
  hide_map boolean not null default false,
  lang text not null default 'cn' check (lang in ('cn', 'en')),
  login_expiry_days int not null default 30 check (login_expiry_days in (1, 7, 30, 60)),
  event_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  check (phone is not null or email is not null),
  check ((phone is null) = (country_code is null)),
  check (email = lower(email))
);
create unique index users_phone on users (country_code, phone);
create unique index users_email on users (email);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  terminal_uuid text not null,
  terminal_type smallint not null check (terminal_type between 1 and 4),
  terminal_name text not null,
  terminal_os text,
  address text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  check (expires_at <= ends_at)
);
create index sessions_user on sessions (user_id, last_seen_at desc);
create index sessions_expiry on sessions (expires_at);

create table push_tickets (
  ticket_hash bytea primary key,
  session_id bigint not null references sessions on delete cascade,
  expires_at timestamptz not null
);

create table login_failures (
  id bigint generated always as identity primary key,
  account_hash bytea not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failures_account on login_failures (account_hash, at);

create table enterprises (
  id bigint generated always as identity primary key,
  name text not null,
  enable_project boolean not null default false,
  created_at timestamptz not null default now()
);

create table enterprise_members (
  enterprise_id bigint not null references enterprises on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  rights text[] not null default '{}',
  joined_at timestamptz not null default now(),
  primary key (enterprise_id, user_id)
);
create index enterprise_members_user on enterprise_members (user_id);
`

const machines = `
create table machines (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[0-9]{19}$'),
  type text not null,
  model text not null default '',
  name text not null,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  password_hash text,
  owner_user_id bigint references users,
  owner_enterprise_id bigint references enterprises,
  cloud_service boolean not null default true,
  check_type smallint not null default 0 check (check_type in (0, 1)),
  adapter text,
  attributes jsonb not null default '{}',
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  address text,
  location_type smallint not null default 2 check (location_type in (1, 2, 3)),
  location_way smallint,
  project_image text,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(owner_user_id, owner_enterprise_id) <= 1)
);
create index machines_owner_user on machines (owner_user_id);
create index machines_owner_enterprise on machines (owner_enterprise_id);

create table machine_grants (
  machine_id bigint not null references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('bkey', 'visitor')),
  until timestamptz,
  read_only boolean not null default false,
  alarms boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (machine_id, user_id),
  check (role = 'visitor' or until is null)
);
create index machine_grants_user on machine_grants (user_id);

create table machine_password_failures (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  at timestamptz not null default now()
);
create index machine_password_failures_machine on machine_password_failures (machine_id, at);

create table machine_groups (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  unique (user_id, name),
  unique (id, user_id)
);

create table machine_connections (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  protocol text not null,
  address text not null,
  started_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz,
  check (ended_at >= started_at)
);
create index machine_connections_machine on machine_connections (machine_id, started_at desc);
create unique index machine_connections_open on machine_connections (machine_id) where ended_at is null;

create table raw_messages (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  at timestamptz not null,
  topic text not null,
  bytes int not null,
  adapter text,
  verdict text not null,
  head bytea not null check (octet_length(head) <= 4096)
);
create index raw_messages_machine on raw_messages (machine_id, id desc);
`

const telemetry = `
create table tags (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  group_name text not null,
  name text not null,
  version int not null default 1,
  type text not null check (type in ('bool', 'int64', 'float64', 'string')),
  label jsonb not null default '{}',
  unit text not null default '',
  scale smallint check (scale between 0 and 12),
  read_only boolean not null default true,
  min double precision,
  max double precision,
  enum jsonb,
  is_key boolean not null default false,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  unique (machine_id, group_name, name, version),
  unique (id, machine_id)
);
create unique index tags_current on tags (machine_id, group_name, name) where retired_at is null;

create table machine_list_entries (
  user_id bigint not null references users on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  name text not null,
  remark text not null default '',
  key_tag_id bigint,
  created_at timestamptz not null default now(),
  primary key (user_id, machine_id),
  foreign key (key_tag_id, machine_id) references tags (id, machine_id) on delete set null (key_tag_id)
);
create index machine_list_entries_machine on machine_list_entries (machine_id);

create table machine_list_entry_groups (
  user_id bigint not null,
  machine_id bigint not null,
  group_id bigint not null,
  primary key (user_id, machine_id, group_id),
  foreign key (user_id, machine_id) references machine_list_entries on delete cascade,
  foreign key (group_id, user_id) references machine_groups (id, user_id)
);

create table samples (
  tag_id bigint not null,
  at timestamptz not null,
  received_at timestamptz not null,
  quality smallint not null,
  late boolean not null,
  num double precision,
  int bigint,
  text text
) partition by range (at);
create index samples_at on samples using brin (at) with (pages_per_range = 16, autosummarize = on);
create index samples_received on samples using brin (received_at) with (pages_per_range = 16, autosummarize = on);
create table samples_rest partition of samples default;

create table ingest_batches (
  id uuid primary key,
  committed_at timestamptz not null default now()
);
create index ingest_batches_committed on ingest_batches (committed_at);

create table tag_latest (
  tag_id bigint primary key references tags on delete cascade,
  at timestamptz not null,
  received_at timestamptz not null,
  quality smallint not null,
  num double precision,
  int bigint,
  text text
);

create table telemetry_state (
  singleton boolean primary key default true check (singleton),
  latest_flushed_at timestamptz not null
);

create table alarms (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  key text not null,
  level text not null check (level in ('critical', 'major', 'minor', 'info')),
  text jsonb not null,
  raised_at timestamptz not null,
  received_at timestamptz not null,
  cleared_at timestamptz,
  confirmed_at timestamptz,
  confirmed_by bigint references users,
  count int not null default 1
);
create unique index alarms_open on alarms (machine_id, key) where cleared_at is null;
create index alarms_machine on alarms (machine_id, raised_at desc);
`

const events = `
create table messages (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  tab text not null check (tab in ('inbox', 'sent', 'alarm', 'project', 'device')),
  type text not null,
  machine_id bigint references machines on delete cascade,
  params jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index messages_unread on messages (user_id, tab) where read_at is null;
create index messages_user on messages (user_id, id desc);

create table user_events (
  user_id bigint not null references users on delete cascade,
  id bigint not null,
  scene smallint not null,
  body bytea not null,
  at timestamptz not null,
  primary key (user_id, id)
);
create index user_events_at on user_events (at);

create table right_changes (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  session_id bigint,
  user_id bigint,
  machine_id bigint,
  reason text not null,
  address text
);
create index right_changes_at on right_changes (at);
`
