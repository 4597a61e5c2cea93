import { type Kysely, sql } from 'kysely'

/** Machines that people registered themselves, the links by which they are set up, and when each first connected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table first_connections (
  machine_id bigint primary key references machines on delete cascade,
  at timestamptz not null
);
insert into first_connections (machine_id, at)
  select machines.id, coalesce(
    (select min(started_at) from machine_connections where machine_id = machines.id), last_seen_at)
  from machines
  where last_seen_at is not null or exists (select from machine_connections where machine_id = machines.id);

-- Without both: the account or the enterprise is gone.
create table self_registered (
  machine_id bigint primary key references machines on delete cascade,
  user_id bigint references users on delete set null,
  enterprise_id bigint references enterprises on delete set null,
  kind text not null check (kind in ('agent', 'mqtt', 'sparkplug', 'http')),
  created_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) <= 1)
);
create index self_registered_user on self_registered (user_id) where user_id is not null;
create index self_registered_enterprise on self_registered (enterprise_id) where enterprise_id is not null;
create index self_registered_created on self_registered (created_at);

create table setup_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  machine_id bigint not null unique references machines on delete cascade,
  brand_id bigint not null references brands,
  secret bytea,
  created_at timestamptz not null,
  expire_at timestamptz not null,
  asked_at timestamptz,
  acknowledged_at timestamptz,
  check ((secret is null) = (acknowledged_at is not null))
);
create index setup_links_expire on setup_links (expire_at);
`)
    .execute(db)
}
