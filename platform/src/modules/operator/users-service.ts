import type { operator as contract, InputOf } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { endSessions, requireProof, updatePerson } from '../accounts/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import * as store from './operator-store.ts'

/**
 * Locks or unlocks a person, appoints or dismisses an operator. A locked person's sessions end at once. Throws 404;
 * 12010201 for a change that would shut the caller out, so that one operator always stays; and PROOF_NEEDED if an
 * operator's rights change without a recent proof of the caller's password (rules/operations.md: operators).
 */
export async function updateUser(
  db: store.Db,
  actor: Actor,
  input: InputOf<typeof contract.updateUser>,
): Promise<void> {
  if (input.isOperator !== undefined) await requireProof(db, actor.user.sessionId, actor.now)
  const isOwn = input.id === actor.user.userId
  if (isOwn && (input.state === 'locked' || input.isOperator === false)) throw new Failure('12010201')
  await db.transaction().execute(async (trx) => {
    // Both rows: two operators who shut each other out at the same moment would leave none.
    const locked = await store.lockUsers(trx, [actor.user.userId, input.id])
    if (!locked.find(({ id }) => id === actor.user.userId)?.is_operator) throw new Failure('403')
    const person = locked.find(({ id }) => id === input.id)
    if (!person) throw new Failure('404')
    const target = person.email ?? `+${person.country_code} ${person.phone}`
    // A person who asked to be deleted is leaving again after they are unlocked.
    const state = input.state === 'active' && person.leaves_at ? 'leaving' : input.state
    if (state && state !== person.state) {
      await updatePerson(trx, person.id, { state })
      // Beside the sessions that end: a locked person's machines stop reporting to projects, and go on afterwards.
      await recordRightChange(trx, { userId: person.id, reason: 'locked' })
      if (input.state === 'locked')
        await endSessions(trx, person.id, { reason: 'locked', address: actor.address })
      await auditAct(trx, actor, {
        action: input.state === 'locked' ? 'user.lock' : 'user.unlock',
        target,
        detail: { userId: person.id },
      })
    }
    if (input.isOperator !== undefined && input.isOperator !== person.is_operator) {
      await updatePerson(trx, person.id, { is_operator: input.isOperator })
      await auditAct(trx, actor, {
        action: input.isOperator ? 'operator.add' : 'operator.remove',
        target,
        detail: { userId: person.id },
      })
    }
  })
}
