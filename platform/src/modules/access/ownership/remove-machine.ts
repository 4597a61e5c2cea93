import type { Caller } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { removeListEntry } from '../../machine-lists/index.ts'
import { askAkeysAgain, recordApplicationEnds } from '../applications/application-ends.ts'
import { findGrant, removeGrant } from '../grants-store.ts'
import { changeMachine, type RightsDeps } from '../rights-change.ts'
import { changeOwner } from './ownership.ts'
import { isHeld, isListedOrOwned } from './ownership-store.ts'

/**
 * Takes a machine out of the caller's list. Its Akey gives it up with that, which is refused while others hold a right
 * to it; other people give up their grants, and their applications end. Rights by an enterprise stay. Throws 04010307
 * for a machine that is missing or not in the list; 04010301 (rules/machines.md: removing a machine).
 */
export async function removeMachine(deps: RightsDeps, caller: Caller, machineId: number): Promise<void> {
  const at = new Date(caller.now)
  if (!(await isListedOrOwned(deps.db, machineId, caller.userId))) throw new Failure('04010307')
  await changeMachine(deps, caller, machineId, async (scope) => {
    const { trx, machine, writeMessages } = scope
    const isListed = await removeListEntry(trx, machineId, caller.userId)
    if (machine.owner_user_id === caller.userId) {
      if (await isHeld(trx, machineId, at)) throw new Failure('04010301')
      const { messages, updates } = await changeOwner({ trx, facts: deps.facts }, machineId, undefined, at)
      await writeMessages(messages, updates)
      await scope.record({ kind: 'machine.givenUp' })
      return
    }
    if (!isListed) throw new Failure('04010307')
    const grant = await findGrant(trx, machineId, caller)
    if (grant) await removeGrant(trx, grant.id)
    const { userId } = caller
    await recordApplicationEnds(scope, { userId }, at)
    await scope.record({ kind: 'grant.ended', userId, role: grant?.role ?? null, how: 'left' })
    if (grant?.role === 'bkey') await askAkeysAgain(scope, caller.now)
  })
}
