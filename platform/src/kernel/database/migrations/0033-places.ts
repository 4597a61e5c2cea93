import { type Kysely, sql } from 'kysely'

/** Where machines are gets tables of its own (docs/decisions/0103-places-of-machines.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables + moves + lists).execute(db)
}

const tables = `
create table machine_places (
  machine_id bigint primary key references machines on delete cascade,
  -- WGS-84. Null where no place is known; an address may be known without one.
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  accuracy_m real check (accuracy_m >= 0),
  source text check (source in ('manual', 'search', 'gps', 'wifi', 'cells', 'ip')),
  fixed_at timestamptz,
  address_cn text,
  address_en text,
  as_typed text,
  -- 1 automatic, 2 by hand, 3 by search; and the automatic way that the key chose first: 1 GPS, 2 WiFi, 3 base station, 4 IP.
  type smallint not null default 2 check (type in (1, 2, 3)),
  way smallint check (way in (1, 2, 3, 4)),
  -- The newest automatic fix; a suggestion where the place is not automatic.
  fix_lat double precision check (fix_lat between -90 and 90),
  fix_lng double precision check (fix_lng between -180 and 180),
  fix_accuracy_m real check (fix_accuracy_m >= 0),
  fix_source text check (fix_source in ('gps', 'wifi', 'cells', 'ip')),
  fix_at timestamptz,
  -- From where a move is measured, and how far it is one; null: off.
  anchor_lat double precision check (anchor_lat between -90 and 90),
  anchor_lng double precision check (anchor_lng between -180 and 180),
  anchor_accuracy_m real check (anchor_accuracy_m >= 0),
  moved_after_m int default 500 check (moved_after_m between 100 and 100000),
  away_since timestamptz,
  is_moved boolean not null default false,
  -- When what the machine tells of its place was last taken.
  taken_at timestamptz,
  check (num_nulls(lat, lng, source, fixed_at) in (0, 4)),
  check (num_nulls(fix_lat, fix_lng, fix_source, fix_at) in (0, 4)),
  check (num_nulls(anchor_lat, anchor_lng) in (0, 2))
);
create index machine_places_away on machine_places (away_since) where away_since is not null and not is_moved;

create table machine_place_history (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  at timestamptz not null,
  -- As it was told, so that it may lie out of range.
  lat double precision not null,
  lng double precision not null,
  accuracy_m real,
  source text not null check (source in ('manual', 'search', 'gps', 'wifi', 'cells', 'ip')),
  implausible text check (implausible in ('range', 'zero', 'future', 'jump'))
);
create index machine_place_history_machine on machine_place_history (machine_id, at);

create table place_refreshes (
  machine_id bigint not null references machines on delete cascade,
  -- Of the owner's zone.
  day date not null,
  used smallint not null check (used >= 0),
  primary key (machine_id, day)
);

create table told_places (
  machine_id bigint primary key references machines on delete cascade,
  told jsonb not null,
  told_at timestamptz not null
);
`

// A place that was typed is not older than the machine's owner. A place without coordinates keeps its address.
const moves = `
insert into machine_places (machine_id, lat, lng, source, fixed_at, as_typed, type, way, anchor_lat, anchor_lng)
select id, at.lat, at.lng, case when at.lat is null then null
         when location_type = 1 then case location_way when 1 then 'gps' when 2 then 'wifi' when 4 then 'ip' else 'cells' end
         when location_type = 3 then 'search' else 'manual' end,
       case when at.lat is not null then greatest(created_at, owned_since) end,
       nullif(address, ''), location_type, case when location_way between 1 and 4 then location_way end, at.lat, at.lng
from machines, lateral (select case when lng is not null then machines.lat end as lat,
                               case when machines.lat is not null then lng end as lng) at
where num_nonnulls(at.lat, nullif(address, ''), location_way) > 0 or location_type <> 2;
`

// What machines tell often, and is pushed, is noted only where a list shows another place.
const lists = `
drop trigger machines_list_changes on machines;
alter table machines drop column lat, drop column lng, drop column address, drop column location_type,
  drop column location_way;
create trigger machines_list_changes after update of
  code, type, model, name, check_type, cloud_service, password_hash, owner_user_id, owner_enterprise_id, owned_since,
  project_image on machines
  for each row when (
    (old.code, old.type, old.model, old.name, old.check_type, old.cloud_service, old.password_hash is null,
     old.owner_user_id, old.owner_enterprise_id, old.owned_since, old.project_image)
    is distinct from
    (new.code, new.type, new.model, new.name, new.check_type, new.cloud_service, new.password_hash is null,
     new.owner_user_id, new.owner_enterprise_id, new.owned_since, new.project_image))
  execute function note_machine_itself();

create trigger machine_places_list_machine_inserts after insert on machine_places
  referencing new table as changed for each statement execute function note_machines_of_rows();
create trigger machine_places_list_machine_updates after update on machine_places
  for each row when (
    (old.lat, old.lng, old.accuracy_m, old.source, old.address_cn, old.address_en, old.as_typed, old.type, old.way)
    is distinct from
    (new.lat, new.lng, new.accuracy_m, new.source, new.address_cn, new.address_en, new.as_typed, new.type, new.way))
  execute function note_machine_of_row();
create trigger machine_places_list_machine_deletes after delete on machine_places
  referencing old table as changed for each statement execute function note_machines_of_rows();

create trigger users_list_map after update of hide_map on users
  for each row when (old.hide_map is distinct from new.hide_map) execute function note_user_itself();
`
