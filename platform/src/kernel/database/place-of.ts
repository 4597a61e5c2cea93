import type { Lang, PlaceSource } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from './schema.gen.ts'

/** The person who reads places. */
export interface PlaceReader {
  readonly userId: number
  readonly lang: Lang
}

/** Where a machine is, as one person reads it; everything is null where `placeOf` has no row. */
export interface ReadPlace {
  /** WGS-84, like `lng`. */
  readonly lat: number | null
  readonly lng: number | null
  /** Metres; null: a person set the place. */
  readonly accuracy: number | null
  readonly place_source: PlaceSource | null
  readonly placed_at: Date | null
  readonly address: string | null
  readonly location_type: number | null
  readonly location_way: number | null
}

/** The place of a machine's present owner, of `shown` beside `machines`. */
const isOfOwner = sql`coalesce(shown.fixed_at, 'infinity') >= coalesce(machines.owned_since, '-infinity')`

/**
 * A subquery for a lateral join as `place` behind `machines`: every answer reads places by it. It has no row where no
 * place is known, for a person who hides the map, and for places of a former owner (rules/places.md: who sees a place).
 * An address that a person typed goes before those that were found.
 */
export function placeOf({ userId, lang }: PlaceReader) {
  const other = lang === 'cn' ? 'en' : 'cn'
  return sql<ReadPlace>`(
    select shown.lat, shown.lng, shown.accuracy_m as accuracy, shown.source as place_source, shown.fixed_at as placed_at,
           coalesce(shown.as_typed, ${sql.ref(`shown.address_${lang}`)}, ${sql.ref(`shown.address_${other}`)}) as address,
           shown.type as location_type, shown.way as location_way
    from machine_places shown
    where shown.machine_id = machines.id
      and ${isOfOwner}
      and not (select reader.hide_map from users reader where reader.id = ${userId}))`.as<'place'>(
    sql.ref('place'),
  )
}

/**
 * The same for what is kept for many readers, with the coordinates only: whoever answers from it asks `hidesMap` at that
 * moment.
 */
export const keptPlace = sql<Pick<ReadPlace, 'lat' | 'lng'>>`(
  select shown.lat, shown.lng from machine_places shown
  where shown.machine_id = machines.id and ${isOfOwner})`.as<'place'>(sql.ref('place'))

/** Whether a person hides the map now. */
export async function hidesMap(db: Kysely<DB>, userId: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('hide_map').where('id', '=', userId).executeTakeFirst()
  return row?.hide_map ?? true
}

/** The attributes that a machine told, without its place for a person who hides the map. */
export function attributesFor({ userId }: Pick<PlaceReader, 'userId'>) {
  return sql<Record<string, unknown>>`machines.attributes - (
    case when (select reader.hide_map from users reader where reader.id = ${userId}) then array['gps'] else '{}' end)`
}

/** The parts of a place that lists and their map show. */
export function presentPlace(place?: ReadPlace) {
  return {
    lat: place?.lat ?? null,
    lng: place?.lng ?? null,
    accuracy: place?.accuracy ?? null,
    source: place?.place_source ?? null,
    placedAt: place?.placed_at?.getTime() ?? null,
  }
}
