import { type Kysely, sql, type Transaction } from 'kysely'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { listNames } from '../machine-names/index.ts'
import { findFreeName, nameKeyOf } from './list-names.ts'

type Db = Kysely<DB>
type Trx = Transaction<DB>

/**
 * Puts a machine into a person's list of at most `entriesMax`, under the name it has for them at this moment: that of
 * their enterprise's device, or the shared one, numbered where the list has that name. A machine that is there
 * stays as it is. False when the list is full.
 */
export async function putIntoList(
  trx: Trx,
  entry: { userId: number; machineId: number; entriesMax: number },
): Promise<boolean> {
  await lockPerson(trx, entry.userId)
  const { isListed, count } = await trx
    .selectFrom('machine_list_entries')
    .select([
      sql<boolean>`coalesce(bool_or(machine_id = ${entry.machineId}), false)`.as('isListed'),
      sql<number>`count(*)`.as('count'),
    ])
    .where('user_id', '=', entry.userId)
    .executeTakeFirstOrThrow()
  if (isListed) return true
  if (count >= entry.entriesMax) return false
  const given = (await listNames(trx, entry.userId, [entry.machineId])).get(entry.machineId) ?? ''
  const name = await findFreeName(trx, { ...entry, name: given })
  await trx
    .insertInto('machine_list_entries')
    .values({ user_id: entry.userId, machine_id: entry.machineId, name, name_key: nameKeyOf(name) })
    .onConflict((conflict) => conflict.columns(['user_id', 'machine_id']).doNothing())
    .execute()
  return true
}

/** Takes a machine out of a person's list, with its groups there; false when it was not in it. */
export async function removeListEntry(trx: Trx, machineId: number, userId: number): Promise<boolean> {
  const result = await trx
    .deleteFrom('machine_list_entries')
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Adds the machine to the user's list under a name that they chose; false when it was there. */
export async function createListEntry(
  db: Db,
  entry: { userId: number; machineId: number; name: string },
): Promise<boolean> {
  const { userId, machineId, name } = entry
  const result = await db
    .insertInto('machine_list_entries')
    .values({ user_id: userId, machine_id: machineId, name, name_key: nameKeyOf(name), is_named: true })
    .onConflict((conflict) => conflict.columns(['user_id', 'machine_id']).doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Gives an entry another remark, and another name where one is given. */
export async function updateListEntry(
  trx: Trx,
  userId: number,
  machineId: number,
  entry: { readonly name?: string; readonly remark: string },
): Promise<void> {
  const { name, remark } = entry
  await trx
    .updateTable('machine_list_entries')
    .set(name === undefined ? { remark } : { remark, name, name_key: nameKeyOf(name), is_named: true })
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .execute()
}

/** Sets which value the person's list shows; false when the machine is not in it. */
export async function updateKeyTag(
  db: Db,
  userId: number,
  machineId: number,
  tagId: number,
): Promise<boolean> {
  const result = await db
    .updateTable('machine_list_entries')
    .set({ key_tag_id: tagId })
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Lets no list show a value of before: the machine has another owner. */
export async function removeKeyTags(trx: Trx, machineId: number): Promise<void> {
  await trx
    .updateTable('machine_list_entries')
    .set({ key_tag_id: null })
    .where('machine_id', '=', machineId)
    .where('key_tag_id', 'is not', null)
    .execute()
}
