import { type Kysely, sql } from 'kysely'

/** Who asks for a machine's rights and how that was answered, changes of its owner, and the messages about both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ownership).execute(db)
  await sql.raw(rightChanges).execute(db)
  await sql.raw(applications).execute(db)
  await sql.raw(messages).execute(db)
  await sql.raw(lists).execute(db)
  await sql.raw(deviceCodes).execute(db)
  await sql.raw(visits).execute(db)
}

const ownership = `
alter table machines add column owned_since timestamptz;
-- Whose they were nobody knows any more; the demo machine was nobody's.
update machines set owned_since = date_trunc('milliseconds', now())
where owner_user_id is null and owner_enterprise_id is null and code <> repeat('0', 19);

-- What a former owner's tags were called the next one's may be called too, from version 1 on.
alter table tags
  add column disowned_at timestamptz,
  add check (disowned_at is null or retired_at is not null),
  drop constraint tags_machine_id_group_name_name_version_key;
create unique index tags_version on tags (machine_id, group_name, name, version) where disowned_at is null;

create table machine_transfers (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  from_user_id bigint not null references users on delete cascade,
  to_user_id bigint not null references users on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'refused', 'withdrawn', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  check (from_user_id <> to_user_id),
  check ((state = 'waiting') = (answered_at is null))
);
create unique index machine_transfers_waiting on machine_transfers (machine_id) where state = 'waiting';
create index machine_transfers_to on machine_transfers (to_user_id) where state = 'waiting';
`

const rightChanges = `
alter table right_changes add column xid xid8 not null default pg_current_xact_id();
create index right_changes_xid on right_changes (xid);
`

const applications = `
create table applications (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('bind', 'visit')),
  machine_id bigint not null references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  proposed_by bigint references users on delete cascade,
  message text not null default '',
  remarks text not null default '',
  terminal_name text not null default '',
  wish text not null default 'rw' check (wish in ('ro', 'rw')),
  state smallint not null default 0 check (state between 0 and 6),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((state in (0, 1, 2)) = (ended_at is null)),
  check (proposed_by is null or kind = 'bind')
);
create unique index applications_open on applications (machine_id, user_id, kind) where ended_at is null;
create index applications_machine on applications (machine_id, id desc);
create index applications_user on applications (user_id, machine_id, kind, created_at desc);
create index applications_expiry on applications (expires_at) where ended_at is null;

create table application_steps (
  id bigint generated always as identity primary key,
  application_id bigint not null references applications on delete cascade,
  step text not null check (step in ('applied', 'proposed', 'password', 'passed', 'refused', 'withdrawn', 'expired')),
  key text check (key in ('A', 'B')),
  user_id bigint references users on delete set null,
  state smallint not null check (state between 0 and 6),
  is_blacklisted boolean not null default false,
  read_only boolean,
  alarms boolean,
  at timestamptz not null
);
create index application_steps_application on application_steps (application_id, id);

create table machine_password_tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  user_id bigint not null references users on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  password_hash text not null,
  expires_at timestamptz not null
);
create index machine_password_tickets_expiry on machine_password_tickets (expires_at);
`

const messages = `
alter table messages
  add column application_id bigint references applications on delete cascade,
  add column transfer_id bigint references machine_transfers on delete cascade;
create index messages_application on messages (application_id) where application_id is not null;
create index messages_transfer on messages (transfer_id) where transfer_id is not null;
create index messages_machine on messages (machine_id, id desc) where tab = 'alarm';
create index messages_tab on messages (user_id, tab, id desc);
create index messages_read on messages (read_at) where read_at is not null;
create index messages_created on messages (created_at);
`

const lists = `
create index tags_key on tags (machine_id, is_key desc, (type in ('float64', 'int64')) desc, id) where retired_at is null;
`

const deviceCodes = `
create table device_codes (
  device_hash bytea primary key check (octet_length(device_hash) = 32),
  user_code text not null unique,
  terminal_uuid text not null,
  terminal_name text not null,
  address text not null,
  brand_id bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused', 'used')),
  session_id bigint references sessions on delete cascade,
  asked_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((state = 'waiting') = (session_id is null))
);
create index device_codes_expiry on device_codes (expires_at);
create index device_codes_session on device_codes (session_id) where session_id is not null;
`

const visits = `
alter table visits add column reached_by text;
create index writes_machine_at on writes (machine_id, at);
`
