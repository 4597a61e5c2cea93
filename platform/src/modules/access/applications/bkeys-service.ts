import { applications as contract } from '@busbar/contract'
import type { Caller } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import type { NamedPerson } from '../../friends/index.ts'
import {
  askAkeysAgain,
  changeGrant,
  changeRights,
  findCandidate,
  listKeys,
  passIfAsked,
  type RightsChange,
  type RightsDeps,
  recordApplicationEnds,
  recordOpened,
  removeGrant,
  requireAkey,
} from '../index.ts'
import { giveAnswer } from './answer-service.ts'
import { proposeBkey } from './application-rules.ts'
import { createApplication } from './applications-store.ts'
import { type Applied, findOpen, requireWaited } from './apply-service.ts'
import { giveBkey } from './granting.ts'

const { auditStates } = contract

/**
 * Makes a person Bkey, or, for a caller who is a Bkey, proposes the person to the Akey; a visitor who is promoted keeps
 * their two bits. Throws 01010304 unless the account exists or is a friend's, 01010305 if the person holds a key,
 * PERSON_BLACKLISTED, 01010307 if their list is full; for a Bkey also 01010306 in password mode and BIND_TOO_OFTEN.
 */
export async function addBkey(
  deps: RightsDeps,
  caller: Caller,
  input: NamedPerson & { readonly machineID: number },
): Promise<Applied & { readonly userId: number }> {
  return changeRights(deps, { ...caller, right: 'bkey+' }, input.machineID, async (scope) => {
    const { userId } = await findCandidate(scope, caller, input)
    return { userId, ...(await makeBkey(scope, caller, userId)) }
  })
}

/**
 * `limit` 2 makes a visitor Bkey, as `addBkey`; 0 makes a Bkey (by the Akey) or a visitor (by either key) an ordinary
 * user. Throws 01010306 for a Bkey without the right, BIND_TOO_OFTEN, 403 for a grant that is gone (rules/access.md:
 * acts of keys).
 */
export async function updateLevel(
  deps: RightsDeps,
  caller: Caller,
  grantId: number,
  limit: 0 | 2,
): Promise<contract.AuditState> {
  return changeGrant(deps, caller, grantId, async (scope, grant) => {
    if (limit === 2) {
      if (grant.role === 'bkey') return auditStates.passed
      return (await makeBkey(scope, caller, grant.userId)).auditState
    }
    if (grant.role === 'bkey') requireAkey(scope)
    await removeGrant(scope.trx, grant.id)
    const how = grant.role === 'bkey' ? 'lowered' : 'removed'
    await scope.record({ kind: 'grant.ended', userId: grant.userId, role: grant.role, how })
    if (grant.role === 'bkey') await askAkeysAgain(scope, caller.now)
    return auditStates.passed
  })
}

async function makeBkey(scope: RightsChange, caller: Caller, userId: number): Promise<Applied> {
  const { trx, machineId, machine } = scope
  const state = proposeBkey(machine.check_type, scope.isAkey ? 'A' : 'B')
  if (state === undefined) throw new Failure('01010306')
  const about = { machineId, userId, kind: 'bind' } as const
  const at = new Date(caller.now)
  if (state === auditStates.passed) {
    await giveBkey(scope, userId, await passIfAsked(scope, caller, about))
    await recordApplicationEnds(scope, { userId }, at)
    return { applyId: null, auditState: state }
  }
  const keys = await listKeys(trx, machineId, caller.now)
  const open = await findOpen(scope, about, keys, caller.now)
  // For a person with an open application or proposal, the call counts as this key's consent.
  if (open) {
    const auditState = await giveAnswer(scope, caller, open, { passes: true })
    return { applyId: open.id, auditState }
  }
  await requireWaited(scope, about, caller.now, true)
  const step = { step: 'proposed', key: 'B', userId: caller.userId, state } as const
  const application = await createApplication(trx, { ...about, proposedBy: caller.userId }, [step], at)
  const akeys = keys.filter(({ key }) => key === 'A')
  await recordOpened(scope, application, keys, akeys)
  return { applyId: application.id, auditState: state }
}
