import { type Kysely, sql } from 'kysely'

/** Enterprises: their face, groups, teams, invitations, machines, and maintenance windows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(people).execute(db)
  await sql.raw(machines).execute(db)
  await sql.raw(teams).execute(db)
  await sql.raw(maintenance).execute(db)
}

const people = `
alter table enterprises
  add column platform_name text not null default '',
  add column logo_url text not null default '',
  add column state text not null default 'active' check (state in ('active', 'locked'));

alter table enterprise_members
  add constraint enterprise_members_rights
    check (rights <@ array['view', 'control', 'manage', 'maintain', 'alarm', 'sms', 'project']);
create index enterprise_members_joined on enterprise_members (enterprise_id, joined_at, user_id);

create table enterprise_invitations (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  user_id bigint not null references users on delete cascade,
  invited_by bigint not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  rights text[] not null default '{}'
    check (rights <@ array['view', 'control', 'manage', 'maintain', 'alarm', 'sms', 'project']),
  state text not null default 'waiting' check (state in ('waiting', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null,
  answered_at timestamptz,
  check ((state = 'waiting') = (answered_at is null))
);
create unique index enterprise_invitations_waiting on enterprise_invitations (enterprise_id, user_id)
  where state = 'waiting';
create index enterprise_invitations_user on enterprise_invitations (user_id) where state = 'waiting';
`

const machines = `
create table enterprise_groups (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  name text not null,
  unique (enterprise_id, name),
  unique (id, enterprise_id)
);

create table enterprise_machines (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  kind text not null check (kind in ('owned', 'maintained')),
  name text not null,
  remark text not null default '',
  group_id bigint,
  added_at timestamptz not null,
  unique (enterprise_id, machine_id),
  foreign key (group_id, enterprise_id) references enterprise_groups (id, enterprise_id)
);
create index enterprise_machines_machine on enterprise_machines (machine_id);
create index enterprise_machines_group on enterprise_machines (group_id);
insert into enterprise_machines (enterprise_id, machine_id, kind, name, added_at)
  select owner_enterprise_id, id, 'owned', name, now() from machines where owner_enterprise_id is not null;
`

const teams = `
create table enterprise_teams (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  name text not null,
  kind text not null check (kind in ('manage', 'maintain')),
  unique (enterprise_id, name),
  unique (id, enterprise_id)
);

create table enterprise_team_members (
  team_id bigint not null,
  enterprise_id bigint not null,
  user_id bigint not null,
  primary key (team_id, user_id),
  foreign key (team_id, enterprise_id) references enterprise_teams (id, enterprise_id) on delete cascade,
  foreign key (enterprise_id, user_id) references enterprise_members (enterprise_id, user_id) on delete cascade
);
create index enterprise_team_members_user on enterprise_team_members (enterprise_id, user_id);

create table enterprise_team_machines (
  team_id bigint not null,
  enterprise_id bigint not null,
  machine_id bigint not null,
  primary key (team_id, machine_id),
  foreign key (team_id, enterprise_id) references enterprise_teams (id, enterprise_id) on delete cascade,
  foreign key (enterprise_id, machine_id)
    references enterprise_machines (enterprise_id, machine_id) on delete cascade
);
create index enterprise_team_machines_machine on enterprise_team_machines (machine_id);
`

const maintenance = `
create table maintenance_windows (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  requested_by bigint not null references users on delete cascade,
  start_at timestamptz not null,
  stop_at timestamptz not null,
  scopes text[] not null check (scopes <@ array['view', 'control', 'passthrough'] and cardinality(scopes) > 0),
  reason text not null,
  state text not null default 'waiting' check (state in ('waiting', 'refused', 'accepted', 'suspended', 'ended')),
  created_at timestamptz not null,
  answered_by bigint references users on delete set null,
  answered_at timestamptz,
  check (stop_at > start_at)
);
create index maintenance_windows_machine on maintenance_windows (machine_id, stop_at desc);
create index maintenance_windows_enterprise on maintenance_windows (enterprise_id, stop_at desc);
`
