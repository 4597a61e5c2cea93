import { type Kysely, sql } from 'kysely'

/** Rules that raise alarms from values, what is remembered of each, and how far each node has evaluated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
}

// Variables stand in `condition` by group and name, because a variable with another type has another id. `version` grows
// with each change of what is evaluated; a state is of one version. `received_at` of a position: what was received before
// is in the states; `written_at`: the node was alive then.
const tables = `
create table alarm_rules (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  level text not null check (level in ('critical', 'major', 'minor', 'info')),
  condition jsonb not null,
  on_delay int not null check (on_delay >= 0),
  off_delay int not null check (off_delay >= 0),
  text jsonb not null,
  instruction text,
  active_hours jsonb,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index alarm_rules_machine on alarm_rules (machine_id);

create table alarm_rule_states (
  rule_id bigint primary key references alarm_rules on delete cascade,
  version int not null,
  state jsonb not null,
  is_active boolean not null,
  raised_at timestamptz,
  updated_at timestamptz not null
) with (fillfactor = 70);

create table alarm_rule_positions (
  node_id text primary key,
  received_at timestamptz not null,
  written_at timestamptz not null
);

create table alarm_rule_templates (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  machine_type text not null,
  name text not null,
  rules jsonb not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id, machine_type, name)
);
create index alarm_rule_templates_enterprise on alarm_rule_templates (enterprise_id);
`
