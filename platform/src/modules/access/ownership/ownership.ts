import { ownerReason, recordRightChange } from '../../../kernel/rights/right-changes.ts'
import { endApplications } from '../applications/application-ends.ts'
import type { ApplicationMail } from '../applications/application-mail.ts'
import type { Trx } from '../grants-store.ts'
import { createMaintainerChanges } from '../timed-rights-store.ts'
import * as store from './ownership-store.ts'

/**
 * Gives a machine to somebody, or to nobody (decision 26): the one writer of whose it is. Whatever the former owner gave,
 * let in or set ends, and whoever owns it next sees nothing from before: every table that keeps something about a machine
 * either begins anew here or is read with `isSinceOwned`. A machine that never had an owner has no before: what it sent
 * while it was set up is its first one's.
 *
 * Call it under the machine's row lock, in the transaction that checked the change; send the answer by `mail`, and
 * publish `rights` after the commit.
 */
export async function changeOwner(
  trx: Trx,
  machineId: number,
  owner: store.Owner,
  at: Date,
): Promise<ApplicationMail> {
  const before = await store.findOwner(trx, machineId)
  const wasOwned = before.owner_user_id !== null || before.owner_enterprise_id !== null
  // While its keys are keys still: they are told.
  const mail = await endApplications(trx, { machineId }, at)
  const holders = await store.removeGrants(trx, machineId, at)
  const maintainers = await store.endFormerRights(trx, machineId, at)
  await createMaintainerChanges(trx, maintainers)
  if (wasOwned || before.owned_since !== null) {
    await store.endFormerPast(trx, machineId, at)
    // Never the instant of the change before, by which who holds the machine in memory knows the owner.
    const since = new Date(Math.max(at.getTime(), (before.owned_since?.getTime() ?? 0) + 1))
    await store.updateOwner(trx, machineId, owner, since)
    await recordRightChange(trx, { machineId, reason: ownerReason })
  } else await store.updateOwner(trx, machineId, owner, undefined)
  const nextId = owner && 'userId' in owner ? owner.userId : undefined
  for (const { userId, role } of holders) {
    if (userId !== nextId) mail.letters.push({ userId, kind: 'rightTaken', params: { right: role } })
  }
  return mail
}
