import { access as contract, type InputOf } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findNamedPerson, type NamedPerson } from '../friends/index.ts'
import { findMachineIdByGrant } from './access-store.ts'
import { passIfAsked } from './applications/application-ends.ts'
import { type Share, shareOf, weighGift } from './gift-rules.ts'
import * as store from './grants-store.ts'
import { changeRights, type RightsChange, type RightsDeps } from './rights-change.ts'
import { isOver, minuteMs } from './visit-time.ts'

/**
 * Lets a person in as a visitor; somebody whose visit time is over gets a new one. Throws 01010304 unless the account
 * exists or is a friend's, 01010305 for a key holder or a visitor whose time is running, PERSON_BLACKLISTED, 01010307
 * if their list is full, and the rights that the caller lacks for the mode or the time; without the caller's own
 * alarms, none are given.
 */
export async function addVisitor(
  deps: RightsDeps,
  caller: Caller,
  input: InputOf<typeof contract.addVisitor>,
): Promise<{ userId: number; grantId: number; until: Date | null }> {
  const until =
    input.validTime === contract.visitTimes.forever ? null : new Date(caller.now + input.validTime * minuteMs)
  const readOnly = input.mode === 'ro'
  return changeRights(deps, { ...caller, right: 'bkey+' }, input.machineID, async (scope) => {
    const { userId, grant } = await findCandidate(scope, caller, input)
    if (grant && !isOver(grant.until, caller.now)) throw new Failure('01010305')
    const alarms = (grant?.alarms ?? true) && shareOf(scope.access).alarms
    requireGift(scope, { readOnly, alarms, until }, grant)
    if (grant) await store.updateGrant(scope.trx, grant.id, { until, readOnly, alarms })
    const created = { machineId: scope.machineId, userId, role: 'visitor', until, readOnly, alarms } as const
    const grantId = grant?.id ?? (await store.createGrant(scope.trx, created))
    await scope.putIntoListOf(userId)
    const given = { until: until?.getTime() ?? contract.visitTimes.forever, mode: input.mode }
    const isAsked = await passIfAsked(scope, caller, { userId, kind: 'visit' }, given)
    const terms = { until: until?.getTime() ?? null, readOnly }
    await scope.record({ kind: 'grant.given', userId, role: 'visitor', isAsked, ...terms })
    return { userId, grantId, until }
  })
}

/**
 * Sets a holder's read-only or alarm bit. Throws 01010304 without a grant, 01010306 when a Bkey sets a Bkey's, and the
 * rights that the caller lacks to lift one; a Bkey may only mute themselves (rules/access.md: two bits).
 */
export async function updateBits(
  deps: RightsDeps,
  caller: Caller,
  holder: { machineId: number; userId: number },
  bits: { readOnly: boolean } | { alarms: boolean },
): Promise<void> {
  await changeRights(deps, { ...caller, right: 'bkey+' }, holder.machineId, async (scope) => {
    const isOwner = scope.machine.owner_user_id === holder.userId
    const grant = isOwner ? undefined : await store.findGrant(scope.trx, scope.machineId, holder)
    if (!grant) throw new Failure('01010304')
    const isOwnAlarm = 'alarms' in bits && holder.userId === caller.userId
    if (grant.role === 'bkey' && !isOwnAlarm) requireAkey(scope)
    const isSo = 'alarms' in bits ? grant.alarms === bits.alarms : grant.readOnly === bits.readOnly
    if (isSo) return
    if (('alarms' in bits && bits.alarms) || ('readOnly' in bits && !bits.readOnly)) {
      requireReadWrite(scope)
      requireGift(scope, { ...grant, ...bits }, grant)
    }
    await store.updateGrant(scope.trx, grant.id, bits)
    const change = 'alarms' in bits ? 'alarms' : 'readOnly'
    await scope.record({ kind: 'grant.changed', userId: grant.userId, change, ...bits })
  })
}

/** Throws 01010306: the call is reserved for the Akey. */
export function requireAkey(scope: RightsChange): void {
  if (!scope.isAkey) throw new Failure('01010306')
}

/** Throws the rights that the caller lacks to give this much to a person who has `held`. */
export function requireGift({ access }: Pick<RightsChange, 'access'>, wished: Share, held?: Share): void {
  const [lack] = weighGift(shareOf(access), wished, held).lacks
  if (lack) throw new Failure(lack)
}

/**
 * Throws GIVER_READ_ONLY: a caller with read-only access changes no settings and lifts no restriction (rules/access.md:
 * giving).
 */
export function requireReadWrite({ access }: Pick<RightsChange, 'access'>): void {
  if (shareOf(access).readOnly) throw new Failure('GIVER_READ_ONLY')
}

/** A change of one grant, read anew under the lock. Throws 403 when it is gone, as for one that never was. */
export async function changeGrant<T>(
  deps: RightsDeps,
  caller: Caller,
  grantId: number,
  change: (scope: RightsChange, grant: store.GrantRow) => Promise<T>,
): Promise<T> {
  const machineId = await findMachineIdByGrant(deps.db, grantId)
  if (machineId === undefined) throw new Failure('403')
  return changeRights(deps, { ...caller, right: 'bkey+' }, machineId, async (scope) => {
    const grant = await store.findGrant(scope.trx, machineId, { id: grantId })
    if (!grant) throw new Failure('403')
    return change(scope, grant)
  })
}

/** A person who may get a right: not a key holder yet, with their present or former visit time. */
export async function findCandidate(
  { trx, machineId, machine }: RightsChange,
  caller: Caller,
  named: NamedPerson,
): Promise<{ userId: number; grant: store.GrantRow | undefined }> {
  const user = await findNamedPerson(trx, caller, named)
  if (user.id === machine.owner_user_id) throw new Failure('01010305')
  if (await store.isBlacklisted(trx, machineId, user.id)) throw new Failure('PERSON_BLACKLISTED')
  const grant = await store.findGrant(trx, machineId, { userId: user.id })
  if (grant?.role === 'bkey') throw new Failure('01010305')
  return { userId: user.id, grant }
}
