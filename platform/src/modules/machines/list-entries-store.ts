import type { Transaction } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'

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

/** Whether another machine of the person's list has this name. */
export async function isNameTaken(
  trx: Trx,
  userId: number,
  name: string,
  exceptMachineId: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('machine_list_entries')
    .select('machine_id')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .where('machine_id', '!=', exceptMachineId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateListEntry(
  trx: Trx,
  userId: number,
  machineId: number,
  entry: { readonly name: string; readonly remark: string },
): Promise<void> {
  await trx
    .updateTable('machine_list_entries')
    .set(entry)
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .execute()
}
