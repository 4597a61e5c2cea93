import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'

/** The SQL of a person's id, or of a machine's: a column, or a bound value. */
type Id = RawBuilder<unknown>

/**
 * A machine's name in a person's own list, else the name in the enterprise that gives their right: first the one that
 * owns it, if they are a member, then one that maintains it, if they are in its team. Null if there is no such name.
 */
export function ownNameFor(user: Id, machine: Id): RawBuilder<string | null> {
  return sql`coalesce(
    (select own_entry.name from machine_list_entries own_entry
     where own_entry.user_id = ${user} and own_entry.machine_id = ${machine}), ${spaceNameFor(user, machine)})`
}

/**
 * A machine's name that the reader chose, or their enterprise, or as its owner anybody with a key of it. Null where
 * somebody else chose it: a machine that is given to a person stands in their list under the giver's name
 * (rules/messages.md: kinds of mails).
 */
export function chosenNameFor(user: Id, machine: Id): RawBuilder<string | null> {
  return sql`coalesce(
    (select own_entry.name from machine_list_entries own_entry
     where own_entry.user_id = ${user} and own_entry.machine_id = ${machine} and own_entry.is_named),
    ${spaceNameFor(user, machine)},
    (select ${nameFor(user, machine)} from machines owned where owned.id = ${machine} and owned.owner_user_id = ${user}))`
}

/** A machine's name in the enterprise that gives a person's right. */
const spaceNameFor = (user: Id, machine: Id) => ofSpace(sql<string>`device.name`, user, machine)

/** The enterprise in whose list a person finds a machine; null if it is in their own, or in none. */
export function spaceFor(user: Id, machine: Id): RawBuilder<number | null> {
  return sql`case when not exists (
    select from machine_list_entries own_entry
    where own_entry.user_id = ${user} and own_entry.machine_id = ${machine})
    then ${ofSpace(sql<number>`device.enterprise_id`, user, machine)} end`
}

/** A column of a machine's record in the enterprise that gives a person's right. */
function ofSpace<T>(column: RawBuilder<T>, user: Id, machine: Id): RawBuilder<T | null> {
  return sql`(select ${column} from enterprise_machines device
     join enterprises keeper on keeper.id = device.enterprise_id and keeper.state = 'active'
     join enterprise_members mate on mate.enterprise_id = device.enterprise_id and mate.user_id = ${user}
     where device.machine_id = ${machine}
       and (device.kind = 'owned' or mate.role <> 'member' or 'maintain' = any(mate.rights) and exists (
         select from enterprise_team_machines looked_after
         join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'maintain'
         join enterprise_team_members hand on hand.team_id = team.id and hand.user_id = mate.user_id
         where looked_after.machine_id = device.machine_id
           and looked_after.enterprise_id = device.enterprise_id))
     order by device.kind = 'owned' desc, device.enterprise_id limit 1)`
}

/**
 * A machine's name for a person: `ownNameFor`, else the shared name. Every text that names a machine to a person gets
 * the name here. Each part is looked up only if the former ones are empty: in a list of own machines each costs one
 * index look-up (rules/machines.md: one name for each reader).
 */
export function nameFor(user: Id, machine: Id): RawBuilder<string> {
  return sql`coalesce(${ownNameFor(user, machine)},
    (select shared.name from machines shared where shared.id = ${machine}))`
}

/**
 * A machine's name for a person with any right over it: the shared name only for its owner and for holders of a grant.
 * Null for anybody else, such as its former owner, who must not read the next owner's name for it.
 */
export function heldNameFor(user: Id, machine: Id): RawBuilder<string | null> {
  return sql`coalesce(${ownNameFor(user, machine)},
    (select shared.name from machines shared
     where shared.id = ${machine} and (shared.owner_user_id = ${user} or exists (
       select from machine_grants held where held.machine_id = ${machine} and held.user_id = ${user}))))`
}

/** The names of machines for one person; a machine that does not exist is left out. */
export async function listNames(
  db: Database,
  userId: number,
  machineIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select machines.id, ${nameFor(sql`${userId}::bigint`, sql.ref('machines.id'))} as name
    from machines where machines.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A machine's name as its owner has it: in the person's list, or among the enterprise's devices; else the shared one. */
export async function ownersName(db: Database, machineId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(
      (select entry.name from machine_list_entries entry
       where entry.user_id = machines.owner_user_id and entry.machine_id = machines.id),
      (select device.name from enterprise_machines device
       where device.enterprise_id = machines.owner_enterprise_id and device.machine_id = machines.id),
      machines.name) as name
    from machines where machines.id = ${machineId}`.execute(db)
  return rows[0]?.name ?? ''
}
