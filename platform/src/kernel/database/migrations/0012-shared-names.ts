import { type Kysely, sql } from 'kysely'

/**
 * The owner's name of a machine whose shared name is still that of its import becomes the shared one. Entries and
 * maintained devices that got the name of the import follow it; those that somebody named keep theirs. A followed name
 * has no key, as those from before keys: two entries of a list may have it until one is edited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    with owned as materialized (
      select machines.id, machines.name as imported, coalesce(entry.name, device.name) as name
      from machines
      left join machine_list_entries entry
        on entry.user_id = machines.owner_user_id and entry.machine_id = machines.id
      left join enterprise_machines device
        on device.enterprise_id = machines.owner_enterprise_id and device.machine_id = machines.id
      where machines.name in (machines.model, machines.type, machines.code)
        and coalesce(entry.name, device.name) <> machines.name
    ), shared as (
      update machines set name = owned.name from owned where machines.id = owned.id
    ), listed as (
      update machine_list_entries entry set name = owned.name, name_key = null from owned
      where entry.machine_id = owned.id and not entry.is_named
        and (entry.name = owned.imported or starts_with(entry.name, owned.imported || ' ('))
    )
    update enterprise_machines device set name = owned.name from owned
    where device.machine_id = owned.id and device.kind = 'maintained' and device.name = owned.imported`.execute(
    db,
  )
}
