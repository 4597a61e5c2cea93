import { type Kysely, sql } from 'kysely'

/** Changes of agents' configurations that people made from the platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(changes).execute(db)
}

// The agent knows a change by `change_id` and decides what becomes of it.
const changes = `
create table agent_config_changes (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  change_id uuid not null unique,
  revision int not null check (revision > 0),
  restored_from int,
  user_id bigint references users on delete set null,
  at timestamptz not null,
  connections int not null,
  tags int not null,
  result text check (result in ('applied', 'rolledBack')),
  reason text not null default ''
);
create index agent_config_changes_machine on agent_config_changes (machine_id, at);
create index agent_config_changes_user on agent_config_changes (user_id);
`
