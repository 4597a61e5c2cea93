import { type Kysely, sql } from 'kysely'

/** Entering a machine: grants by id, the blacklist, visits, who controls a machine, what was written to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(rights).execute(db)
  await sql.raw(visits).execute(db)
  await sql.raw(writes).execute(db)
}

const rights = `
alter table machine_grants add column id bigint generated always as identity unique;
create index machine_grants_until on machine_grants (until) where until is not null;

create table machine_blacklist (
  machine_id bigint not null references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (machine_id, user_id)
);
create index machine_blacklist_user on machine_blacklist (user_id);

alter table sessions add column proved_at timestamptz;
`

const visits = `
create table visits (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  session_id bigint not null,
  machine_id bigint not null references machines on delete cascade,
  kind text not null default 'page' check (kind in ('page', 'tcp')),
  target text not null,
  address text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  active_at timestamptz not null,
  bytes_in bigint not null default 0,
  bytes_out bigint not null default 0,
  was_rw boolean not null default false,
  ended_at timestamptz,
  end_reason text,
  end_note text not null default '',
  ended_by bigint references users on delete set null,
  check ((ended_at is null) = (end_reason is null)),
  check (ends_at > started_at),
  unique (id, machine_id)
);
create index visits_live on visits (machine_id) where ended_at is null;
create index visits_machine on visits (machine_id, started_at desc);
create index visits_user on visits (user_id, started_at desc);
create index visits_session on visits (session_id) where ended_at is null;

create table visit_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  visit_id bigint not null references visits on delete cascade,
  host text not null,
  state_hash bytea not null check (octet_length(state_hash) = 32),
  expires_at timestamptz not null
);

create table visit_cookies (
  cookie_hash bytea primary key check (octet_length(cookie_hash) = 32),
  visit_id bigint not null references visits on delete cascade,
  host text not null,
  created_at timestamptz not null default now()
);
create index visit_cookies_visit on visit_cookies (visit_id);

create table controllers (
  machine_id bigint primary key references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  visit_id bigint,
  since timestamptz not null,
  until timestamptz,
  foreign key (visit_id, machine_id) references visits (id, machine_id) on delete cascade,
  check ((visit_id is null) = (until is not null))
);
create index controllers_visit on controllers (visit_id);

create table control_requests (
  visit_id bigint primary key,
  machine_id bigint not null,
  at timestamptz not null,
  foreign key (visit_id, machine_id) references visits (id, machine_id) on delete cascade
);
create index control_requests_machine on control_requests (machine_id);
`

const writes = `
create table writes (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  user_id bigint references users on delete set null,
  visit_id bigint references visits on delete set null,
  source text not null check (source in ('console', 'page', 'machine')),
  at timestamptz not null,
  from_value jsonb,
  to_value jsonb not null,
  kept_value jsonb,
  state text not null default 'sent' check (state in ('sent', 'confirmed', 'failed', 'timedOut')),
  ended_at timestamptz,
  note text not null default '',
  reason text not null default '',
  check ((state = 'sent') = (ended_at is null))
);
create index writes_machine on writes (machine_id, id desc);
create index writes_visit on writes (visit_id) where visit_id is not null;
create index writes_open on writes (at) where state = 'sent';
`
