import { type applications as contract, type ErrorCode, machines } from '@busbar/contract'
import { type AccessPort, noAccess } from '../index.ts'
import { stateAt } from './application-rules.ts'
import { type Db, findAuditOf } from './applications-store.ts'

/** Tells a person who was refused with `code` what they can do about it. */
export type FindDenial = (
  userId: number,
  machineId: number,
  code: ErrorCode,
  now: number,
) => Promise<contract.EntryDenial>

export function createFindDenial(db: Db, access: AccessPort): FindDenial {
  return async (userId, machineId, code, now) => {
    const right = (await access.list(userId, [machineId], now)).get(machineId) ?? noAccess
    if (right.rights.has('visitor+')) return { next: 'open' }
    const opensAt = right.opensAt === undefined ? {} : { opensAt: right.opensAt }
    const isClosed = code === 'BLACKLIST' || code === 'CLOUD_EXPIRED'
    // A machine unrelated to the caller is answered like a missing one.
    if (isClosed || !right.rights.has('listed')) return { next: 'closed', ...opensAt }
    const audit = await findAuditOf(db, machineId, userId)
    const { application } = audit
    if (application && stateAt(application, now) === application.state)
      return { next: 'wait', applyId: application.id, auditState: application.state }
    return { next: nextOf(audit) }
  }
}

function nextOf({ isOwned, checkType }: { isOwned: boolean; checkType: number }): contract.NextStep {
  if (!isOwned) return 'closed'
  return checkType === machines.checkTypes.akeyAndPassword ? 'password' : 'apply'
}
