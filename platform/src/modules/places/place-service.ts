import { type CoordinateSystem, placeTypes } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import type { CallContext, SignedIn } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { changeRights, type RightsChange, type RightsDeps, requireReadWrite } from '../access/index.ts'
import { auditAct } from '../audit/index.ts'
import type { Point } from './coordinates.ts'
import { plainName } from './gazetteer/city.ts'
import type { NamedPlace } from './gazetteer/gazetteer.ts'
import type { PlaceChanges } from './place-changes.ts'
import { findWholePlace } from './place-reads-store.ts'
import type { FixSource } from './place-rules.ts'
import type { Locator } from './providers/locator.ts'
import { readPoint } from './read-point.ts'
import type { Way } from './told-signals.ts'

export interface PlaceDeps {
  readonly db: Database
  readonly rights: RightsDeps
  readonly locator: Locator
  readonly changes: PlaceChanges
}

/** The key that changes where a machine is. */
export type Setter = CallContext & { readonly user: SignedIn }

/** Changes what keys set about a machine's place, with an entry in the audit log; no entry has coordinates. */
export function changePlace<T>(
  { rights }: PlaceDeps,
  context: Setter,
  machineId: number,
  detail: Record<string, unknown>,
  change: (scope: RightsChange) => Promise<T>,
): Promise<T> {
  return changeRights(rights, { ...callerOf(context), right: 'bkey+' }, machineId, async (scope) => {
    requireReadWrite(scope)
    const changed = await change(scope)
    await auditAct(scope.trx, context, {
      action: 'machine.place',
      target: scope.machine.code,
      detail: { machineId, ...detail },
    })
    return changed
  })
}

/** Finds places automatically from now on, first by this way; without one, the one that was chosen last stays. */
export async function chooseWay(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
  way: Way | undefined,
): Promise<void> {
  await changePlace(deps, context, machineId, { type: placeTypes.auto, way }, ({ trx }) =>
    deps.changes.chooseWay(trx, machineId, { type: placeTypes.auto, way }),
  )
}

interface Coordinates extends Point {
  readonly coord: CoordinateSystem
  readonly type?: typeof placeTypes.manual | typeof placeTypes.search
  /** As it is shown in place of the one that is found. */
  readonly address?: string | undefined
}

/** Places a machine at coordinates, and answers the address. Throws PLACE_SWAPPED, PLACE_ZERO, 400. */
export async function setByCoordinates(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
  { type = placeTypes.manual, address: asTyped, ...given }: Coordinates,
): Promise<string> {
  const point = readPoint(given)
  const addresses = await deps.locator.addressesOf(point)
  const source = type === placeTypes.search ? 'search' : 'manual'
  await changePlace(deps, context, machineId, { type }, ({ trx }) =>
    deps.changes.pinPlace(trx, machineId, { ...point, source, asTyped, addresses }),
  )
  return asTyped ?? addresses[context.lang] ?? ''
}

/** Takes the suggested place of this time. Throws PLACE_SUGGESTION_GONE. */
export async function acceptSuggestion(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
  fixedAt: number,
): Promise<void> {
  const find = async (db: PlaceDeps['rights']['db']) => {
    const {
      type,
      fixLat: lat,
      fixLng: lng,
      fixAt,
      fixAccuracyM: accuracyM,
      fixSource,
    } = await findWholePlace(db, machineId, context.user.userId)
    if (type === placeTypes.auto || lat === null || lng === null || fixAt?.getTime() !== fixedAt)
      throw new Failure('PLACE_SUGGESTION_GONE')
    return { lat, lng, accuracyM, source: fixSource as FixSource }
  }
  const addresses = await deps.locator.addressesOf(await find(deps.db))
  await changePlace(deps, context, machineId, { accepted: true }, async ({ trx }) => {
    // A newer fix either was there before, or is measured from the place that is accepted.
    await deps.changes.hold(trx, machineId)
    await deps.changes.pinPlace(trx, machineId, { ...(await find(trx)), addresses })
  })
}

/** Sets how far from its place a machine must be for an alarm; null: no alarm. */
export async function setMovedAfter(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
  movedAfterM: number | null,
): Promise<void> {
  await changePlace(deps, context, machineId, { movedAfterM }, ({ trx }) =>
    deps.changes.setMovedAfter(trx, machineId, movedAfterM),
  )
}

interface Placed {
  readonly placed: NamedPlace | undefined
  /** The places that the address may mean, where it does not mean one. */
  readonly choices: readonly NamedPlace[]
}

/** Places a machine at the one place that an address means. Throws PLACE_ADDRESS_UNKNOWN. */
export async function setByAddress(
  deps: PlaceDeps,
  context: Setter,
  machineId: number,
  address: string,
): Promise<Placed> {
  const found = await deps.locator.searchAddress(address, context.lang)
  if (found.length === 0)
    throw new Failure('PLACE_ADDRESS_UNKNOWN', {
      text: { cn: `找不到“${address}”`, en: `No place was found for “${address}”` },
    })
  const placed = chooseOne(found, address)
  if (!placed) return { placed, choices: found }
  const addresses = { ...(await deps.locator.addressesOf(placed)), [context.lang]: placed.address }
  const { lat, lng } = placed
  await changePlace(deps, context, machineId, { type: placeTypes.search }, ({ trx }) =>
    deps.changes.pinPlace(trx, machineId, { lat, lng, source: 'search', asTyped: address, addresses }),
  )
  return { placed, choices: [] }
}

/** The only place, or the only one that is called exactly so. */
function chooseOne(found: readonly NamedPlace[], address: string): NamedPlace | undefined {
  if (found.length === 1) return found[0]
  const wanted = plainName(address)
  const exact = found.filter((place) =>
    [place.name, place.address].some((name) => plainName(name) === wanted),
  )
  return exact.length === 1 ? exact[0] : undefined
}
