import { Failure } from '../../http/failure.ts'
import * as store from './grants-store.ts'
import { changeGrant, requireAkey } from './holders-service.ts'
import { type Caller, changeRights, type RightsDeps } from './rights-change.ts'
import { isOver, parseVisitTime } from './visit-time.ts'

/** Ends a visit time. Throws 01010408 when it was over already, 403 when it is not one of this machine. */
export async function endVisitTime(
  deps: RightsDeps,
  caller: Caller,
  visitTime: { id: number; machineId: number },
): Promise<void> {
  await changeVisitor(deps, caller, visitTime.id, async (scope, grant) => {
    if (scope.machineId !== visitTime.machineId) throw new Failure('403')
    if (isOver(grant.until, caller.now)) throw new Failure('01010408')
    const until = new Date(caller.now)
    await store.updateGrant(scope.trx, grant.id, { until })
    await scope.tell('visitTime', grant.userId, { until })
  })
}

/** Sets a visit time; -1 is for ever. Throws 400 for an end less than ten minutes ahead (decision 25). */
export async function updateVisitTime(
  deps: RightsDeps,
  caller: Caller,
  visitTime: { id: number; visitTime: number },
): Promise<void> {
  const parsed = parseVisitTime(visitTime.visitTime, caller.now)
  if (!parsed) throw new Failure('400', { field: 'visitTime' })
  await changeVisitor(deps, caller, visitTime.id, async (scope, grant) => {
    await store.updateGrant(scope.trx, grant.id, parsed)
    await scope.tell('visitTime', grant.userId, parsed)
  })
}

/** Takes a visitor's right away: an ordinary user again. */
export async function removeVisitor(deps: RightsDeps, caller: Caller, grantId: number): Promise<void> {
  await changeVisitor(deps, caller, grantId, async (scope, grant) => {
    await store.removeGrant(scope.trx, grant.id)
    await scope.tell('removed', grant.userId)
  })
}

/**
 * Puts somebody who dealt with the machine on its blacklist: any grant of theirs ends for good. Throws 01010304 for
 * anybody else, 01010306 for the Akey, and for a Bkey unless by the Akey.
 */
export async function addToBlacklist(
  deps: RightsDeps,
  caller: Caller,
  entry: { machineId: number; userId: number },
): Promise<void> {
  const { userId } = entry
  if (userId === caller.userId) throw new Failure('400', { field: 'userId' })
  await changeRights(deps, { ...caller, right: 'bkey+' }, entry.machineId, async (scope) => {
    const { trx, machineId, machine } = scope
    if (userId === machine.owner_user_id) throw new Failure('01010306')
    const grant = await store.findGrant(trx, machineId, { userId })
    if (grant?.role === 'bkey') requireAkey(scope)
    // Otherwise counting through ids would show a key everybody's name.
    if (!(await store.hasDealtWith(trx, machineId, userId))) throw new Failure('01010304')
    if (grant) await store.removeGrant(trx, grant.id)
    const at = new Date(caller.now)
    const isNew = await store.createBlacklisted(trx, { machineId, userId, createdBy: caller.userId, at })
    if (isNew || grant) await scope.tell('blacklisted', userId)
  })
}

/** Takes somebody off a machine's blacklist; what they held before stays gone. Throws 404 when they are not on it. */
export async function removeFromBlacklist(
  deps: RightsDeps,
  caller: Caller,
  entry: { machineId: number; userId: number },
): Promise<void> {
  await changeRights(deps, { ...caller, right: 'bkey+' }, entry.machineId, async (scope) => {
    if (!(await store.removeBlacklisted(scope.trx, scope.machineId, entry.userId))) throw new Failure('404')
    await scope.tell('unblacklisted', entry.userId)
  })
}

/** A change of a visitor's grant; a Bkey has no visit time, and is answered like a grant that is not there. */
function changeVisitor(
  deps: RightsDeps,
  caller: Caller,
  grantId: number,
  change: Parameters<typeof changeGrant>[3],
): Promise<void> {
  return changeGrant(deps, caller, grantId, async (scope, grant) => {
    if (grant.role !== 'visitor') throw new Failure('403')
    await change(scope, grant)
  })
}
