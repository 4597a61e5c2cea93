import { type Kysely, sql } from 'kysely'

/** Lists of machines name a project: what it follows from is noted (docs/decisions/0047-unchanged-lists.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(triggers).execute(db)
}

const triggers = `
create function note_members_of_project() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (user_id)
    select user_id from project_members where project_id = new.id and accepted_at is not null;
  return null;
end $$;

create trigger project_machines_list_machine_inserts after insert on project_machines
  referencing new table as changed for each statement execute function note_machines_of_rows();
create trigger project_machines_list_machine_updates after update on project_machines
  for each row when (old.stop is distinct from new.stop) execute function note_machine_of_row();
create trigger project_machines_list_machine_deletes after delete on project_machines
  referencing old table as changed for each statement execute function note_machines_of_rows();

create trigger project_members_list_user_inserts after insert on project_members
  referencing new table as changed for each statement execute function note_users_of_rows();
create trigger project_members_list_user_updates after update on project_members
  for each row when (old.accepted_at is distinct from new.accepted_at) execute function note_user_of_row();
create trigger project_members_list_user_deletes after delete on project_members
  referencing old table as changed for each statement execute function note_users_of_rows();

create trigger projects_list_names after update of name on projects
  for each row when (old.name is distinct from new.name) execute function note_members_of_project();

create trigger enterprises_list_projects after update of enable_project on enterprises
  for each row when (old.enable_project is distinct from new.enable_project) execute function note_enterprise_itself();
`
