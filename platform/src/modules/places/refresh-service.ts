import type { ErrorCode } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { ProviderFault } from '../../kernel/outgoing-http/ask-json.ts'
import { changeRights, requireReadWrite } from '../access/index.ts'
import { findZone, spaceOf } from '../spaces/index.ts'
import { findWholePlace, type WholePlace } from './place-reads-store.ts'
import type { Fix } from './place-rules.ts'
import type { PlaceDeps, Setter } from './place-service.ts'
import { isWithheld } from './place-views.ts'
import { findRefreshes, giveRefreshBack, type OwnerDay, takeRefresh } from './refreshes-store.ts'
import { canLocate, findFix, orderWays, readTold, type Way } from './told-signals.ts'

const codes: Readonly<Record<ProviderFault, ErrorCode>> = {
  unreachable: 'PLACE_PROVIDER_UNREACHABLE',
  timeout: 'PLACE_PROVIDER_SLOW',
  busy: 'PLACE_PROVIDER_BUSY',
  refused: 'PLACE_PROVIDER_REFUSED',
  questionRefused: 'PLACE_PROVIDER_REFUSED',
  wrongAnswer: 'PLACE_PROVIDER_WRONG',
  noRadius: 'PLACE_WITHOUT_RADIUS',
  farAway: 'PLACE_FAR_AWAY',
}

/** The day of a machine's owner; of a machine without one, that of UTC. */
export async function ownerDayOf(
  db: Database,
  machineId: number,
  { userId, enterpriseId }: Pick<WholePlace, 'userId' | 'enterpriseId'>,
  now: number,
): Promise<OwnerDay> {
  const isOwned = userId !== null || enterpriseId !== null
  const zone = isOwned ? await findZone(db, spaceOf({ userId, enterpriseId })) : 'UTC'
  return { machineId, zone, at: new Date(now) }
}

/**
 * Finds where a machine is now, for one of its five refreshes of the day; where nobody can tell, and where a provider
 * fails, none is used. Throws LOCATION_UNAVAILABLE, PLACE_REFRESHES_USED, PLACE_IMPLAUSIBLE, and why the last provider failed, with the
 * last good place beside it.
 */
export async function refreshPlace(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
): Promise<Fix & { readonly address: string; readonly isHidden: boolean }> {
  const { db, locator } = deps
  const known = await findWholePlace(db, machineId, context.user.userId)
  const told = await readTold(db, machineId, context.now)
  const ways = orderWays(known.way as Way | null).filter((way) => canLocate(locator, told, way))
  if (ways.length === 0) throw new Failure('LOCATION_UNAVAILABLE', lastGood(known, context.now))
  const day = await ownerDayOf(db, machineId, known, context.now)
  if (!(await takeRefresh(db, day))) {
    const { resetAt } = await findRefreshes(db, day)
    throw new Failure('PLACE_REFRESHES_USED', { data: { resetAt: resetAt.getTime() } })
  }
  try {
    const { fix, fault } = await findFix(db, locator, machineId, told, ways)
    if (!fix) throw new Failure(fault ? codes[fault] : 'LOCATION_UNAVAILABLE', lastGood(known, context.now))
    const addresses = await locator.addressesOf(fix)
    const caller = { ...callerOf(context), right: 'bkey+' } as const
    const changed = await changeRights(deps.rights, caller, machineId, (scope) => {
      requireReadWrite(scope)
      return deps.changes.applyFix(scope.trx, machineId, { ...fix, addresses })
    })
    // It was found before the machine came to its owner.
    if (!changed) throw new Failure('LOCATION_UNAVAILABLE', lastGood(known, context.now))
    if (changed.implausible) throw new Failure('PLACE_IMPLAUSIBLE', lastGood(known, context.now))
    return { ...fix, address: addresses[context.lang] ?? '', isHidden: known.isHidden }
  } catch (error) {
    await giveRefreshBack(db, day)
    throw error
  }
}

/** The place that stays, with its age; nothing for a person who hides the map, nor of a former owner. */
function lastGood(known: WholePlace, now: number) {
  const { lat, lng, source, fixedAt } = known
  if (lat === null || !fixedAt || isWithheld(known, fixedAt)) return {}
  const ageS = Math.round((now - fixedAt.getTime()) / 1_000)
  return { data: { lat, lng, source, fixedAt: fixedAt.getTime(), ageS } }
}
