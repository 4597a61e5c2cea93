import { type operator as contract, demoMachineCode } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { createToken, hashPassword, hashToken } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { updateMachine } from '../machine-register/index.ts'
import { createMachinePassword } from '../machines/index.ts'
import type { Db } from './operator-store.ts'
import * as store from './register-store.ts'

/**
 * Renews password and secret of an unowned machine, for a lost label. Throws 404, and 12010301 for an owned one: only
 * its Akey can do that.
 */
export async function renewLabel(db: Db, actor: Actor, machineId: number): Promise<contract.MachineSecrets> {
  const password = createMachinePassword()
  const secret = createToken()
  const passwordHash = await hashPassword(password, 'known')
  const machine = await db.transaction().execute(async (trx) => {
    const found = await store.lockMachine(trx, machineId)
    if (!found || found.code === demoMachineCode) throw new Failure('404')
    if (found.owner_user_id !== null || found.owner_enterprise_id !== null) throw new Failure('12010301')
    await updateMachine(trx, machineId, { password_hash: passwordHash, secret_hash: hashToken(secret) })
    // A connection with the old secret is cut.
    await recordRightChange(trx, { machineId, reason: 'secretReset' })
    await auditAct(trx, actor, { action: 'machine.label', target: found.code })
    return found
  })
  return { machineCode: machine.code, type: machine.type, model: machine.model, password, secret }
}
