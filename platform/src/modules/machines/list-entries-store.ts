import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Trx = Transaction<DB>

/** A machine in a person's list; undefined if it is not there. */
export async function findListEntry(trx: Trx, userId: number, machineId: number) {
  return trx
    .selectFrom('machine_list_entries as entry')
    .innerJoin('machines', 'machines.id', 'entry.machine_id')
    .select(['entry.name', 'entry.remark', 'machines.code'])
    .where('entry.user_id', '=', userId)
    .where('entry.machine_id', '=', machineId)
    .executeTakeFirst()
}
