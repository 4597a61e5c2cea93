import { type Kysely, sql } from 'kysely'

/**
 * Keeps what happens to each alarm as events, alarms of rules beside those of machines, and shelvings
 * (docs/decisions/0048-alarm-states.md).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(alarms).execute(db)
  await sql.raw(shelves).execute(db)
  await sql.raw(events).execute(db)
  await sql.raw(former).execute(db)
}

// A rule, a variable and a contact may go while their alarms stay: no foreign keys.
const alarms = `
alter table alarms
  add column rule_id bigint,
  add column tag_id bigint,
  add column value jsonb,
  add column limit_value jsonb,
  add column instruction jsonb,
  add column note text not null default '',
  add column confirmed_contact_id bigint;
drop index alarms_open;
create unique index alarms_open on alarms (machine_id, coalesce(rule_id, 0), key) where cleared_at is null;
create index alarms_open_levels on alarms (machine_id) include (level, received_at) where cleared_at is null;
create index alarms_raised on alarms (raised_at desc, id desc) include (machine_id, received_at);
create index alarms_unconfirmed on alarms (raised_at desc, id desc) include (machine_id, received_at)
  where confirmed_at is null;
`

const shelves = `
create table alarm_shelves (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  kind text not null check (kind in ('shelved', 'outOfService')),
  scope text not null check (scope in ('alarm', 'rule', 'tag', 'machine')),
  key text check ((key is not null) = (scope = 'alarm')),
  rule_id bigint check ((rule_id is not null) = (scope = 'rule')),
  tag_id bigint check ((tag_id is not null) = (scope = 'tag')),
  until timestamptz check ((until is null) = (kind = 'outOfService')),
  reason text not null,
  by_user_id bigint references users on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint references users on delete set null,
  end_reason text check (end_reason in ('time', 'person', 'owner', 'replaced') and (end_reason is null) = (ended_at is null))
);
create index alarm_shelves_machine on alarm_shelves (machine_id) where ended_at is null;
create index alarm_shelves_until on alarm_shelves (until) where ended_at is null and until is not null;
create index alarm_shelves_by on alarm_shelves (by_user_id) where by_user_id is not null;
create index alarm_shelves_ended_by on alarm_shelves (ended_by) where ended_by is not null;
`

// Alarms go only with their machine, as their events do. The index of raisings answers counts of days by itself.
const events = `
create table alarm_events (
  id bigint generated always as identity primary key,
  alarm_id bigint,
  machine_id bigint not null references machines on delete cascade,
  shelve_id bigint,
  kind text not null check (kind in ('raised', 'counted', 'changed', 'cleared', 'filled', 'confirmed', 'shelved', 'unshelved',
    'outOfService', 'inService')),
  at timestamptz not null,
  received_at timestamptz not null,
  user_id bigint references users on delete set null,
  contact_id bigint,
  note text not null default '',
  level text check (level in ('critical', 'major', 'minor', 'info')),
  raisings int not null default 0,
  count int,
  value jsonb,
  check (alarm_id is not null or shelve_id is not null)
);
create index alarm_events_alarm on alarm_events (alarm_id) where alarm_id is not null;
create index alarm_events_machine on alarm_events (machine_id, at desc, id desc);
create index alarm_events_at on alarm_events (at desc, id desc) include (machine_id, received_at);
create index alarm_events_raisings on alarm_events (at) include (machine_id, received_at, raisings) where raisings > 0;
create index alarm_events_user on alarm_events (user_id) where user_id is not null;
`

const former = `
insert into alarm_events (alarm_id, machine_id, kind, at, received_at, user_id, level, raisings, count)
select id, machine_id, kind, at, received_at, user_id, level, raisings, count from (
  select id, machine_id, 'raised' as kind, raised_at as at, received_at, null::bigint as user_id, level, count as raisings, count,
    1 as place
  from alarms
  union all
  select id, machine_id, 'confirmed', confirmed_at, greatest(received_at, confirmed_at), confirmed_by, level, 0, count, 2
  from alarms where confirmed_at is not null
  union all
  select id, machine_id, 'cleared', cleared_at, greatest(received_at, cleared_at), null, level, 0, count, 3
  from alarms where cleared_at is not null
) as event
order by received_at, at, id, place;
`
