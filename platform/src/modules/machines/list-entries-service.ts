import { machines as contract, type InputOf, machineName, remark as remarkRule } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { Failure } from '../../kernel/http/failure.ts'
import * as lists from '../machine-lists/index.ts'
import * as store from './list-entries-store.ts'

const { edited, remarkUpdated } = contract.operationStates

/**
 * Changes a person's name for a machine in their own list; answers the console's state for it. An unchanged name always
 * passes: older names may contain characters that are refused now. Throws 403 when the machine is not in the list, 400
 * for another machine's code, 040104011, 04010406, 04010412.
 */
export async function updateListEntry(
  db: Database,
  userId: number,
  input: InputOf<typeof contract.updateMachine>,
): Promise<typeof edited | typeof remarkUpdated> {
  const machineId = input.updateMachineID
  return withTransaction(db, async (trx) => {
    await lockPerson(trx, userId)
    const entry = await store.findListEntry(trx, userId, machineId)
    if (!entry) throw new Failure('403')
    if (entry.code !== input.updateMachineCode) throw new Failure('400', { field: 'updateMachineCode' })
    const { updateMachineName: name = entry.name, updateMachineRemark: remark = entry.remark } = input
    const isRenamed = name !== entry.name
    const isRemarked = remark !== entry.remark
    if (isRenamed && !machineName.safeParse(name).success) throw new Failure('040104011')
    if (isRemarked && !remarkRule.safeParse(remark).success) throw new Failure('04010406')
    if (isRenamed) await lists.requireFreeName(trx, { userId, machineId, name })
    const changed = isRenamed ? { name, remark } : { remark }
    if (isRenamed || isRemarked) {
      await lists.refuseSameName(lists.updateListEntry(trx, userId, machineId, changed))
    }
    return isRemarked && !isRenamed ? remarkUpdated : edited
  })
}
