import { type Kysely, sql } from 'kysely'

/** Boards of people and enterprises, their former versions, and templates of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(boards).execute(db)
}

// `tiles` and `machine_type` repeat what the layout says, so that a list reads no layout.
const boards = `
create table boards (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  machine_type text,
  version int not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  deleted_at timestamptz,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index boards_user on boards (user_id) where user_id is not null;
create index boards_enterprise on boards (enterprise_id) where enterprise_id is not null;
create index boards_updated_by on boards (updated_by);
create index boards_deleted on boards (deleted_at) where deleted_at is not null;

create table board_versions (
  board_id bigint not null references boards on delete cascade,
  version int not null,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  machine_type text,
  at timestamptz not null,
  by_user_id bigint references users on delete set null,
  primary key (board_id, version)
);
create index board_versions_by on board_versions (by_user_id);

-- The people who have a board open: they are told of its changes.
create table board_viewers (
  board_id bigint not null references boards on delete cascade,
  user_id bigint not null references users on delete cascade,
  seen_at timestamptz not null,
  primary key (board_id, user_id)
);
create index board_viewers_user on board_viewers (user_id);
create index board_viewers_seen on board_viewers (seen_at);

create table board_templates (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  machine_type text not null,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id, machine_type, name)
);
create index board_templates_enterprise on board_templates (enterprise_id);
`
