import { type Kysely, sql } from 'kysely'

/**
 * Notes of what changed in lists of machines. The database itself writes them, because a change without its note would
 * let a list be answered as unchanged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  for (const subject of ['machine', 'user', 'enterprise'] as const)
    await sql.raw(notesOf(subject)).execute(db)
  for (const { table, note, changed } of noted) await sql.raw(triggers(table, note, changed)).execute(db)
  await sql.raw(machines).execute(db)
}

// No references: a note outlives the row it names. `xid` of machine_list_trims: notes of transactions before it are gone.
const tables = `
create table machine_list_changes (
  xid xid8 not null default pg_current_xact_id(),
  machine_id bigint,
  user_id bigint,
  enterprise_id bigint,
  attributes_only boolean not null default false
);
create index machine_list_changes_xid on machine_list_changes (xid);

create table machine_list_trims (
  is_only boolean primary key default true check (is_only),
  xid xid8 not null,
  next_xid xid8 not null
);
insert into machine_list_trims (xid, next_xid)
  select pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot());
`

type Subject = 'machine' | 'user' | 'enterprise'

/** One note for each subject of a statement; of an updated row one for what it was and what it is. */
const notesOf = (subject: Subject) => `
create function note_${subject}s_of_rows() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) select distinct ${subject}_id from changed;
  return null;
end $$;

create function note_${subject}_of_row() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) values (new.${subject}_id);
  if old.${subject}_id <> new.${subject}_id then
    insert into machine_list_changes (${subject}_id) values (old.${subject}_id);
  end if;
  return null;
end $$;

create function note_${subject}_itself() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) values (new.id);
  return null;
end $$;
`

const noted: readonly {
  readonly table: string
  readonly note: Subject
  /** Columns that a list shows or follows from; an update of the others is not noted. */
  readonly changed: readonly string[]
}[] = [
  {
    table: 'machine_list_entries',
    note: 'user',
    changed: ['user_id', 'machine_id', 'name', 'remark', 'key_tag_id'],
  },
  { table: 'machine_groups', note: 'user', changed: ['user_id', 'name'] },
  { table: 'machine_list_entry_groups', note: 'user', changed: ['user_id', 'machine_id', 'group_id'] },
  {
    table: 'machine_grants',
    note: 'user',
    changed: ['id', 'machine_id', 'user_id', 'role', 'until', 'read_only', 'alarms'],
  },
  { table: 'machine_blacklist', note: 'user', changed: ['machine_id', 'user_id'] },
  {
    table: 'applications',
    note: 'user',
    changed: ['machine_id', 'user_id', 'kind', 'state', 'expires_at', 'ended_at'],
  },
  { table: 'enterprise_members', note: 'user', changed: ['enterprise_id', 'user_id', 'role', 'rights'] },
  { table: 'enterprise_team_members', note: 'user', changed: ['team_id', 'enterprise_id', 'user_id'] },
  { table: 'enterprise_teams', note: 'enterprise', changed: ['enterprise_id', 'kind'] },
  { table: 'enterprise_groups', note: 'enterprise', changed: ['enterprise_id', 'name'] },
  {
    table: 'enterprise_machines',
    note: 'enterprise',
    changed: ['enterprise_id', 'machine_id', 'kind', 'name', 'remark', 'group_id', 'added_at'],
  },
  { table: 'enterprise_machines', note: 'machine', changed: ['enterprise_id', 'machine_id', 'kind'] },
  {
    table: 'enterprise_team_machines',
    note: 'machine',
    changed: ['team_id', 'enterprise_id', 'machine_id'],
  },
  {
    table: 'maintenance_windows',
    note: 'machine',
    changed: ['enterprise_id', 'machine_id', 'start_at', 'stop_at', 'scopes', 'state'],
  },
  {
    table: 'alarms',
    note: 'machine',
    changed: ['machine_id', 'level', 'raised_at', 'received_at', 'cleared_at', 'confirmed_at'],
  },
  {
    table: 'machine_connections',
    note: 'machine',
    changed: ['machine_id', 'started_at', 'ended_at', 'node_id'],
  },
  { table: 'lost_spans', note: 'machine', changed: ['machine_id', 'from_at', 'to_at'] },
  {
    table: 'tags',
    note: 'machine',
    changed: ['machine_id', 'name', 'type', 'label', 'unit', 'scale', 'is_key', 'retired_at'],
  },
]

// What is looked at for each updated row costs no call where nothing that counts has changed.
const triggers = (table: string, note: Subject, changed: readonly string[]) => {
  const row = (version: string) => `(${changed.map((column) => `${version}.${column}`).join(', ')})`
  return `
create trigger ${table}_list_${note}_inserts after insert on ${table}
  referencing new table as changed for each statement execute function note_${note}s_of_rows();
create trigger ${table}_list_${note}_updates after update on ${table}
  for each row when (${row('old')} is distinct from ${row('new')}) execute function note_${note}_of_row();
create trigger ${table}_list_${note}_deletes after delete on ${table}
  referencing old table as changed for each statement execute function note_${note}s_of_rows();`
}

// Attributes are kilobytes, and only lists of enterprises show some of them.
const machines = `
create function note_attributes() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (machine_id, attributes_only) values (new.id, true);
  return null;
end $$;

create trigger machines_list_changes after update of
  code, type, model, name, check_type, cloud_service, password_hash, owner_user_id, owner_enterprise_id, owned_since,
  lat, lng, address, location_type, location_way, project_image on machines
  for each row when (
    (old.code, old.type, old.model, old.name, old.check_type, old.cloud_service, old.password_hash is null,
     old.owner_user_id, old.owner_enterprise_id, old.owned_since, old.lat, old.lng, old.address, old.location_type,
     old.location_way, old.project_image)
    is distinct from
    (new.code, new.type, new.model, new.name, new.check_type, new.cloud_service, new.password_hash is null,
     new.owner_user_id, new.owner_enterprise_id, new.owned_since, new.lat, new.lng, new.address, new.location_type,
     new.location_way, new.project_image))
  execute function note_machine_itself();
create trigger machines_list_attributes after update of attributes on machines
  for each row when (old.attributes is distinct from new.attributes) execute function note_attributes();

create trigger users_list_changes after update of leaves_at on users
  for each row when (old.leaves_at is distinct from new.leaves_at) execute function note_user_itself();
create trigger enterprises_list_changes after update of state on enterprises
  for each row when (old.state is distinct from new.state) execute function note_enterprise_itself();
`
