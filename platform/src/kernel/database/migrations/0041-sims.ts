import { type Kysely, sql } from 'kysely'

/** SIM cards: their plans, what their carriers tell of them, and their traffic by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table sim_plans (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) <= 60),
  -- The name of the account at a carrier that holds its cards.
  account text not null check (char_length(account) <= 40),
  -- A month's volume; null: unlimited.
  total_mb bigint check (total_mb > 0),
  cycle text not null check (cycle in ('calendar', 'day27')),
  created_at timestamptz not null
);
create unique index sim_plans_name on sim_plans (lower(name));
create index sim_plans_account on sim_plans (account);

create table sims (
  id bigint generated always as identity primary key,
  iccid text not null check (iccid ~ '^89[0-9A-F]{17}[0-9A-F]?$'),
  -- The same with a check digit and without.
  card_key text generated always as (left(iccid, 19)) stored unique,
  machine_id bigint references machines on delete set null,
  plan_id bigint not null references sim_plans,
  expire_at timestamptz,
  created_at timestamptz not null,
  -- As its carrier told them.
  state smallint not null default 9 check (state between 1 and 10),
  word text not null default '' check (char_length(word) <= 60),
  stop_reason text,
  msisdn text not null default '' check (char_length(msisdn) <= 20),
  active_at timestamptz,
  changed_at timestamptz,
  -- Of the plan's month that begins on cycle_from.
  used_bytes bigint check (used_bytes >= 0),
  cycle_from date,
  as_of timestamptz,
  -- The day on which the volume is used up, and its range.
  runs_out date,
  runs_out_earliest date,
  runs_out_latest date,
  -- Since when the carrier tells nothing of it.
  failed_at timestamptz,
  due_at timestamptz not null,
  -- When the end of the plan is to be told next.
  watch_at timestamptz,
  -- When another machine was last seen to report it.
  elsewhere_at timestamptz,
  -- The alarms that stand for it.
  told text[] not null default '{}'
);
create index sims_machine on sims (machine_id);
create index sims_plan on sims (plan_id, due_at);
create index sims_watch on sims (watch_at);
create index sims_elsewhere on sims (id) where 'elsewhere' = any(told);
-- The card that a machine reports.
create index machines_iccid on machines (left(attributes ->> 'iccid', 19)) where attributes ? 'iccid';

create table sim_days (
  sim_id bigint not null references sims on delete cascade,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (sim_id, day)
);
create index sim_days_day on sim_days (day);

create table sim_accounts (
  name text primary key check (char_length(name) <= 40),
  -- When the list that was read last to its end was begun; and the one that is being read, with its next page.
  listed_at timestamptz,
  list_begun_at timestamptz,
  list_page text check (char_length(list_page) <= 2000),
  succeeded_at timestamptz,
  failed_at timestamptz,
  fault text not null default ''
);
`)
    .execute(db)
}
