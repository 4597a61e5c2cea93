import { type Kysely, sql } from 'kysely'

/** Sites of people and enterprises, their plans, and the machines on these. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table sites (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  address text not null,
  radius_m int not null check (radius_m between 10 and 50000),
  revision int not null default 1,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index sites_user on sites (user_id) where user_id is not null;
create index sites_enterprise on sites (enterprise_id) where enterprise_id is not null;
create index sites_updated_by on sites (updated_by);

create table site_plans (
  id bigint generated always as identity primary key,
  site_id bigint not null references sites on delete cascade,
  place smallint not null,
  name text not null,
  picture text not null,
  -- Within one statement that sets a new order, two plans have the same place.
  unique (site_id, place) deferrable initially immediate
);

-- A machine is on a plan as long as it is in the list of the plan's space: it leaves with its entry there.
create table site_machines (
  plan_id bigint not null references site_plans on delete cascade,
  machine_id bigint not null,
  user_id bigint,
  enterprise_id bigint,
  x double precision not null check (x between 0 and 1),
  y double precision not null check (y between 0 and 1),
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id, machine_id),
  foreign key (user_id, machine_id) references machine_list_entries on delete cascade,
  foreign key (enterprise_id, machine_id) references enterprise_machines (enterprise_id, machine_id) on delete cascade
);
create index site_machines_plan on site_machines (plan_id);
create index site_machines_enterprise on site_machines (enterprise_id, machine_id);
create index site_machines_machine on site_machines (machine_id);

create table site_viewers (
  site_id bigint not null references sites on delete cascade,
  user_id bigint not null references users on delete cascade,
  seen_at timestamptz not null,
  primary key (site_id, user_id)
);
create index site_viewers_user on site_viewers (user_id);
create index site_viewers_seen on site_viewers (seen_at);

alter table uploads drop constraint uploads_purpose_check,
  add constraint uploads_purpose_check
    check (purpose in ('logo', 'brand', 'projectImage', 'machineType', 'sitePlan'));
`)
    .execute(db)
}
