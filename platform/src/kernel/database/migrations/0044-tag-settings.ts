import { type Kysely, sql } from 'kysely'

/** What people say about a machine's tags, and whether the machine itself says that a tag may be written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(settings).execute(db)
}

// By the tag's name, and not by its id: settings outlive a change of its type, which gives it another id.
// Of tags that have nothing but values nobody knows whether their machine ever described them. Its next birth tells.
const settings = `
create table tag_settings (
  machine_id bigint not null references machines on delete cascade,
  group_name text not null,
  tag_name text not null,
  settings jsonb not null,
  updated_at timestamptz not null,
  primary key (machine_id, group_name, tag_name)
);

create trigger tag_settings_list_machine_inserts after insert on tag_settings
  referencing new table as changed for each statement execute function note_machines_of_rows();
create trigger tag_settings_list_machine_updates after update on tag_settings
  for each row when (old.settings is distinct from new.settings) execute function note_machine_of_row();
create trigger tag_settings_list_machine_deletes after delete on tag_settings
  referencing old table as changed for each statement execute function note_machines_of_rows();

alter table tags alter column read_only drop not null, alter column read_only drop default;
update tags set read_only = null
  where read_only and label = '{}' and unit = '' and scale is null and min is null and max is null and not is_key;
`
