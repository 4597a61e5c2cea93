import {
  type AnswerOf,
  type CoordinateSystem,
  type places as contract,
  firstPlaceType,
  type ImplausibleReason,
  type Lang,
  metresBetween,
  type PlaceSource,
  placeLimits,
  placeTypes,
} from '@busbar/contract'
import { coarseReasonOf } from './coarse-reason.ts'
import { convertPoint, type Point } from './coordinates.ts'
import type { listHistory, WholePlace } from './place-reads-store.ts'
import type { Told } from './told-signals.ts'

/** A tenth of a metre: no provider knows more. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** A place as answers have it, in the coordinates that were asked for. */
export function presentPoint(point: Point, coord: CoordinateSystem): Point {
  const { lat, lng } = convertPoint(point, 'wgs84', coord)
  return { lat: round(lat), lng: round(lng) }
}

interface Fix extends Point {
  readonly accuracyM: number | null
  readonly source: PlaceSource
  readonly at: Date
}

const presentFix = ({ accuracyM, source, at, ...point }: Fix, coord: CoordinateSystem) => ({
  ...presentPoint(point, coord),
  accuracy: accuracyM,
  source,
  fixedAt: at.getTime(),
})

/** Whether the reader hides the map, or the place is from before the owner. */
export const isWithheld = ({ isHidden, ownedSince }: WholePlace, at: Date | null): boolean =>
  isHidden || (ownedSince !== null && at !== null && at < ownedSince)

type FixColumns = readonly [
  lat: number | null,
  lng: number | null,
  accuracyM: number | null,
  source: string | null,
  at: Date | null,
]

function fixOf(row: WholePlace, [lat, lng, accuracyM, source, at]: FixColumns): Fix | undefined {
  if (lat === null || lng === null || source === null || at === null || isWithheld(row, at)) return
  return { lat, lng, accuracyM, source: source as PlaceSource, at }
}

type Answer = AnswerOf<typeof contract.getPlace>

export function presentPlace(
  row: WholePlace,
  more: {
    readonly told: Told
    readonly isTaken: boolean
    readonly refreshes: { readonly used: number; readonly resetAt: Date }
    readonly coord: CoordinateSystem
    readonly lang: Lang
  },
): Answer {
  const { told, refreshes, coord, lang } = more
  const place = fixOf(row, [row.lat, row.lng, row.accuracyM, row.source, row.fixedAt])
  const newest = fixOf(row, [row.fixLat, row.fixLng, row.fixAccuracyM, row.fixSource, row.fixAt])
  const type = (row.type ?? firstPlaceType) as Answer['type']
  const suggested = type === placeTypes.auto ? undefined : newest
  const found = lang === 'cn' ? [row.addressCn, row.addressEn] : [row.addressEn, row.addressCn]
  const isGone = isWithheld(row, row.fixedAt)
  const asTyped = isGone ? null : row.asTyped
  return {
    place: place ? presentFix(place, coord) : null,
    address: isGone ? '' : (asTyped ?? found.find((address) => address !== null) ?? ''),
    asTyped,
    suggestion: suggested
      ? {
          ...presentFix(suggested, coord),
          distanceM: place ? Math.round(metresBetween(place, suggested)) : null,
        }
      : null,
    type,
    way: row.way as Answer['way'],
    refreshes: presentRefreshes(refreshes),
    movedAfterM: row.isKnown ? row.movedAfterM : placeLimits.movedAfterMDefault,
    isMoved: !row.isHidden && row.isMoved === true,
    movedFrom:
      row.isMoved && !isGone && row.anchorLat !== null && row.anchorLng !== null
        ? presentPoint({ lat: row.anchorLat, lng: row.anchorLng }, coord)
        : null,
    coarse: place
      ? coarseReasonOf({
          source: place.source,
          accuracyM: place.accuracyM,
          cells: told.signals.cells?.length ?? 0,
          wifi: told.signals.wifi?.length ?? 0,
          isTaken: more.isTaken,
        })
      : null,
  }
}

/** How the place of a machine is found. */
export const presentWay = ({ type, way }: WholePlace) =>
  ({ locationType: type ?? firstPlaceType, way }) as Pick<
    AnswerOf<typeof contract.getLocationWay>,
    'locationType' | 'way'
  >

export const presentRefreshes = ({ used, resetAt }: { readonly used: number; readonly resetAt: Date }) => ({
  used,
  max: placeLimits.refreshesPerDay,
  left: placeLimits.refreshesPerDay - used,
  resetAt: resetAt.getTime(),
})

/** Oldest first, from rows that are newest first, one more than an answer has where there are more. */
export function presentHistory(
  rows: Awaited<ReturnType<typeof listHistory>>,
  coord: CoordinateSystem,
): AnswerOf<typeof contract.listPlaceHistory> {
  const list = rows.slice(0, placeLimits.historyRowsMax).toReversed()
  return {
    isCut: rows.length > list.length,
    list: list.map(({ at, lat, lng, accuracy_m, source, implausible }) => ({
      at: at.getTime(),
      // A place out of range has no counterpart in other systems.
      ...presentPoint({ lat, lng }, implausible === 'range' ? 'wgs84' : coord),
      accuracy: accuracy_m,
      source: source as PlaceSource,
      implausible: implausible as ImplausibleReason | null,
    })),
  }
}
