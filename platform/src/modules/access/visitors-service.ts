import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { askAkeysAgain, recordApplicationEnds } from './applications/application-ends.ts'
import { shareOf } from './gift-rules.ts'
import * as store from './grants-store.ts'
import { changeGrant, requireAkey, requireGift, requireReadWrite } from './holders-service.ts'
import { changeRights, type RightsChange, type RightsDeps } from './rights-change.ts'
import { isOver, parseVisitTime } from './visit-time.ts'

/** Ends a visit time. Throws 01010408 when it was over already, 403 when it is not one of this machine. */
export async function endVisitTime(
  deps: RightsDeps,
  caller: Caller,
  visitTime: { id: number; machineId: number },
): Promise<void> {
  await changeVisitor(deps, caller, visitTime.id, async (scope, grant) => {
    if (scope.machineId !== visitTime.machineId) throw new Failure('403')
    if (!(await setOver(scope, grant, caller.now))) throw new Failure('01010408')
  })
}

/** The same by the grant alone; a visit time that was over already stays as it is. */
export async function clearVisitTime(deps: RightsDeps, caller: Caller, grantId: number): Promise<void> {
  await changeVisitor(deps, caller, grantId, async (scope, grant) => {
    await setOver(scope, grant, caller.now)
  })
}

/** The grant stays, and is over from now on; false when it was already. */
async function setOver({ trx, record }: RightsChange, grant: store.GrantRow, now: number): Promise<boolean> {
  if (isOver(grant.until, now)) return false
  const until = new Date(now)
  await store.updateGrant(trx, grant.id, { until })
  await record({ kind: 'grant.changed', userId: grant.userId, change: 'visitTime', until: now })
  return true
}

/**
 * Sets a visit time; -1 for no expiry. Throws 400 for an end less than ten minutes ahead, and the rights that the
 * caller lacks for a longer one (rules/access.md: visit time).
 */
export async function updateVisitTime(
  deps: RightsDeps,
  caller: Caller,
  visitTime: { id: number; visitTime: number },
): Promise<void> {
  const parsed = parseVisitTime(visitTime.visitTime, caller.now)
  if (!parsed) throw new Failure('400', { field: 'visitTime' })
  await changeVisitor(deps, caller, visitTime.id, async (scope, grant) => {
    requireGift(scope, { ...grant, ...parsed }, grant)
    await store.updateGrant(scope.trx, grant.id, parsed)
    const until = parsed.until?.getTime() ?? null
    await scope.record({ kind: 'grant.changed', userId: grant.userId, change: 'visitTime', until })
  })
}

/** Takes a visitor's right away: an ordinary user again. */
export async function removeVisitor(deps: RightsDeps, caller: Caller, grantId: number): Promise<void> {
  await changeVisitor(deps, caller, grantId, async (scope, grant) => {
    await store.removeGrant(scope.trx, grant.id)
    await scope.record({ kind: 'grant.ended', userId: grant.userId, role: grant.role, how: 'removed' })
  })
}

/**
 * Puts a person related to the machine on its blacklist: any grant of theirs ends permanently, with their applications.
 * Throws 01010304 for other people, 01010306 for an Akey, and 01010306 for a Bkey unless the caller is an Akey;
 * enterprise roles count, too (rules/access.md: blacklist).
 */
export async function addToBlacklist(
  deps: RightsDeps,
  caller: Caller,
  entry: { machineId: number; userId: number },
): Promise<void> {
  await changeRights(deps, { ...caller, right: 'bkey+' }, entry.machineId, (scope) =>
    blacklist(scope, caller, entry.userId),
  )
}

/** The same within a change of rights. */
export async function blacklist(scope: RightsChange, caller: Caller, userId: number): Promise<void> {
  const { trx, machineId } = scope
  if (userId === caller.userId) throw new Failure('400', { field: 'userId' })
  const { rights } = await scope.rightsOf(userId)
  if (rights.has('akey')) throw new Failure('01010306')
  if (rights.has('bkey+')) requireAkey(scope)
  const grant = await store.findGrant(trx, machineId, { userId })
  // Otherwise counting through ids would show a key everybody's name.
  if (!(await store.hasDealtWith(trx, machineId, userId))) throw new Failure('01010304')
  const at = new Date(caller.now)
  await recordApplicationEnds(scope, { userId }, at, { isBlacklisted: true })
  if (grant) await store.removeGrant(trx, grant.id)
  const isNew = await store.createBlacklisted(trx, { machineId, userId, createdBy: caller.userId, at })
  if (isNew || grant) await scope.record({ kind: 'machine.blacklisted', userId, role: grant?.role ?? null })
  if (rights.has('bkey+')) await askAkeysAgain(scope, caller.now)
}

/**
 * Takes a person off a machine's blacklist; their former grants stay ended. Throws 404 when they are not on it, and the
 * rights that the caller lacks of those they regain without a grant.
 */
export async function removeFromBlacklist(
  deps: RightsDeps,
  caller: Caller,
  entry: { machineId: number; userId: number },
): Promise<void> {
  await changeRights(deps, { ...caller, right: 'bkey+' }, entry.machineId, async (scope) => {
    const { trx, machineId } = scope
    if (!(await store.removeBlacklisted(trx, machineId, entry.userId))) throw new Failure('404')
    requireReadWrite(scope)
    // By an enterprise, or a maintenance window.
    requireGift(scope, shareOf(await scope.rightsOf(entry.userId)))
    await scope.record({ kind: 'machine.unblacklisted', userId: entry.userId })
  })
}

/** A change of a visitor's grant; a Bkey has no visit time, and is answered like a missing grant. */
function changeVisitor(
  deps: RightsDeps,
  caller: Caller,
  grantId: number,
  change: Parameters<typeof changeGrant<void>>[3],
): Promise<void> {
  return changeGrant(deps, caller, grantId, async (scope, grant) => {
    if (grant.role !== 'visitor') throw new Failure('403')
    await change(scope, grant)
  })
}
