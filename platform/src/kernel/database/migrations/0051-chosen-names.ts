import { type Kysely, sql } from 'kysely'

/**
 * Whether a person chose the name that a machine has in their list. Of names from before, those that differ from the
 * shared one count as chosen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // False where a node of the version before writes the row.
  await sql`alter table machine_list_entries add column is_named boolean not null default false`.execute(db)
  await sql`update machine_list_entries entry set is_named = true from machines
    where machines.id = entry.machine_id and machines.name <> entry.name
      and not starts_with(entry.name, machines.name || ' (')`.execute(db)
}
