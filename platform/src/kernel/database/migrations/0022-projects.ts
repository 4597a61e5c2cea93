import { type Kysely, sql } from 'kysely'

/** Projects: their people, machines, keys, consents and quotas, and the servers that they can report to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(projects).execute(db)
  await sql.raw(links).execute(db)
  await sql.raw(usage).execute(db)
}

const projects = `
create table reporting_servers (
  id bigint generated always as identity (start with 2) primary key,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  created_at timestamptz not null
);

create table projects (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  type smallint check (type in (1, 2)),
  name text not null,
  description text not null default '',
  is_reporting boolean not null default true,
  is_picture_shown boolean not null default false,
  may_write boolean not null default false,
  may_embed boolean not null default false,
  server_id bigint references reporting_servers on delete set null,
  every_s integer not null default 30 check (every_s between 0 and 3600),
  variables jsonb,
  origins text[] not null default '{}',
  is_stopped_by_operator boolean not null default false,
  wrong_keys_told_at timestamptz,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  check ((enterprise_id is null) = (type is null))
);
create index projects_user on projects (user_id) where user_id is not null;
create index projects_enterprise on projects (enterprise_id, type) where enterprise_id is not null;
create index projects_server on projects (server_id) where server_id is not null;

create table project_members (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  user_id bigint not null references users on delete cascade,
  level smallint not null check (level in (2, 3)),
  invited_by bigint references users on delete set null,
  invited_at timestamptz not null,
  accepted_at timestamptz,
  unique (project_id, user_id),
  check (level = 2 or accepted_at is not null)
);
create unique index project_members_owner on project_members (project_id) where level = 3;
create index project_members_user on project_members (user_id);
create index project_members_invited on project_members (invited_by) where invited_by is not null;

create table project_keys (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  sealed bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  last_used_at timestamptz,
  last_used_from text not null default ''
);
create index project_keys_project on project_keys (project_id, created_at desc);
create index project_keys_ends on project_keys (ends_at) where ends_at is not null;
create unique index project_keys_newest on project_keys (project_id) where ends_at is null;
`

const links = `
create table project_machines (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  linked_by bigint references users on delete set null,
  linked_at timestamptz not null,
  stop text check (stop in ('rightLost', 'memberLeft', 'ownerChanged')),
  ended_at timestamptz,
  unique (project_id, machine_id),
  check ((stop is null) = (ended_at is null))
);
create index project_machines_machine on project_machines (machine_id);
create index project_machines_by on project_machines (linked_by);

create table project_consents (
  link_id bigint primary key references project_machines on delete cascade,
  may_write boolean not null,
  may_visit boolean not null,
  by_user_id bigint references users on delete set null,
  at timestamptz not null
);
create index project_consents_by on project_consents (by_user_id) where by_user_id is not null;

alter table right_changes add column project_id bigint;
`

const usage = `
create table project_usage (
  project_id bigint not null references projects on delete cascade,
  month date not null,
  rows bigint not null default 0,
  told smallint not null default 0 check (told in (0, 80, 95, 100)),
  primary key (project_id, month)
);

create table project_minutes (
  project_id bigint not null references projects on delete cascade,
  minute timestamptz not null,
  rows bigint not null,
  primary key (project_id, minute)
);
create index project_minutes_minute on project_minutes (minute);
`
