import { type Kysely, sql } from 'kysely'

/**
 * Two names in one person's list that read the same are told apart by the key the platform makes of a name. Entries from
 * before have none, and may keep the names they have until somebody edits them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table machine_list_entries add column name_key text`.execute(db)
  await sql`create unique index machine_list_entries_name on machine_list_entries (user_id, name_key)`.execute(
    db,
  )
}
