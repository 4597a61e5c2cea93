import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { nameKeyOf } from '../access/index.ts'

type Trx = Transaction<DB>

/** Holds off other changes of one person's list and groups until the transaction ends. */
export async function lockList(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** A machine in somebody's list; undefined when it is not there. */
export async function findListEntry(trx: Trx, userId: number, machineId: number) {
  return trx
    .selectFrom('machine_list_entries as entry')
    .innerJoin('machines', 'machines.id', 'entry.machine_id')
    .select(['entry.name', 'entry.remark', 'machines.code'])
    .where('entry.user_id', '=', userId)
    .where('entry.machine_id', '=', machineId)
    .executeTakeFirst()
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
    .set(name === undefined ? { remark } : { remark, name, name_key: nameKeyOf(name) })
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .execute()
}
