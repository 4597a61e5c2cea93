import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Trx = Transaction<DB>

/** A person's groups by name, with how many machines of their list are in each. */
export async function listGroups(db: Kysely<DB>, userId: number) {
  const { rows } = await sql<{ id: number; name: string; count: number }>`
    select own.id, own.name, count(held.machine_id)::int as count
    from machine_groups own
    left join machine_list_entry_groups held on held.group_id = own.id and held.user_id = own.user_id
    where own.user_id = ${userId}
    group by own.id
    order by own.name`.execute(db)
  return rows
}

export async function countGroups(trx: Trx, userId: number): Promise<number> {
  const row = await trx
    .selectFrom('machine_groups')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Makes a group; undefined when the person has one of this name. */
export async function createGroup(trx: Trx, userId: number, name: string): Promise<number | undefined> {
  const row = await trx
    .insertInto('machine_groups')
    .values({ user_id: userId, name })
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Locks a group against being filled or removed meanwhile; false if it is not the person's. */
export async function lockGroup(trx: Trx, userId: number, groupId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('machine_groups')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', groupId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function isGroupNameTaken(
  trx: Trx,
  userId: number,
  name: string,
  exceptId: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('machine_groups')
    .select('id')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateGroupName(trx: Trx, groupId: number, name: string): Promise<void> {
  await trx.updateTable('machine_groups').set({ name }).where('id', '=', groupId).execute()
}

export async function countGroupMachines(trx: Trx, groupId: number): Promise<number> {
  const row = await trx
    .selectFrom('machine_list_entry_groups')
    .select(sql<number>`count(*)`.as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Keeps these machines in the person's list until the transaction ends; answers how many of them are in it. */
export async function lockListed(trx: Trx, userId: number, machineIds: readonly number[]): Promise<number> {
  const rows = await trx
    .selectFrom('machine_list_entries')
    .select('machine_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`machine_id = any(${[...machineIds]}::bigint[])`)
    .orderBy('machine_id')
    .forKeyShare()
    .execute()
  return rows.length
}

/** Makes these machines of the person's list, and no others, the group's. */
export async function setGroupMachines(
  trx: Trx,
  userId: number,
  groupId: number,
  machineIds: readonly number[],
): Promise<void> {
  const ids = sql`${[...machineIds]}::bigint[]`
  await sql`delete from machine_list_entry_groups where group_id = ${groupId} and machine_id <> all(${ids})`.execute(
    trx,
  )
  await sql`
    insert into machine_list_entry_groups (user_id, machine_id, group_id)
    select user_id, machine_id, ${groupId} from machine_list_entries
    where user_id = ${userId} and machine_id = any(${ids})
    on conflict do nothing`.execute(trx)
}

export async function removeGroup(trx: Trx, groupId: number): Promise<void> {
  await trx.deleteFrom('machine_groups').where('id', '=', groupId).execute()
}
