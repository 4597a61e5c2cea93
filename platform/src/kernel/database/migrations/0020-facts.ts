import { type Kysely, sql } from 'kysely'

/** Facts, as rows that others follow, and the events of people's pages followed in the same way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(epoch).execute(db)
  await sql.raw(facts).execute(db)
  await sql.raw(followers).execute(db)
  await sql.raw(userEvents).execute(db)
}

// Transactions are numbered by the cluster: in another one their numbers begin again, under the next epoch.
const epoch = `
create table fact_epoch (
  is_only boolean primary key default true check (is_only),
  epoch int not null,
  system_identifier text not null
);
insert into fact_epoch (epoch, system_identifier)
  select 1, system_identifier::text from pg_control_system();
`

// No references: a fact outlives the rows it names. It holds no personal data.
const facts = `
create sequence facts_id;
create table facts (
  id bigint not null default nextval('facts_id'),
  epoch int not null,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  machine_id bigint,
  user_id bigint,
  enterprise_id bigint,
  payload jsonb not null default '{}',
  at timestamptz not null,
  recorded_at timestamptz not null default now()
) partition by range (recorded_at);
create index facts_order on facts (epoch, xid, id);
create index facts_xid on facts (xid);
create table facts_rest partition of facts default;
`

const followers = `
create table fact_followers (
  name text primary key,
  epoch int not null,
  xid xid8 not null,
  id bigint not null,
  read_from timestamptz not null,
  failing_id bigint,
  failures int not null default 0,
  retry_at timestamptz
);

create table facts_set_aside (
  follower text not null,
  fact_id bigint not null,
  fact jsonb not null,
  error text not null,
  failures int not null,
  set_aside_at timestamptz not null default now(),
  primary key (follower, fact_id)
);
create index facts_set_aside_at on facts_set_aside (set_aside_at);
`

const userEvents = `
alter table user_events add column xid xid8 not null default pg_current_xact_id();
create index user_events_xid on user_events (xid);
`
