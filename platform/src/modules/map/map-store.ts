import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PlaceReader, placeOf } from '../../kernel/database/place-of.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { MapArea } from './map-area.ts'

/** The list whose machines are on the map: a person's own, or one of an enterprise. */
export type MapList =
  | { readonly userId: number }
  | { readonly eid: number; readonly kind: 'owned' | 'maintained' }

export interface MapFilter {
  readonly groupId: number | undefined
  /** A part of a name, remark or machine code; empty: all. */
  readonly search: string
}

export interface PlacedMachine {
  readonly machine_id: number
  readonly lat: number
  readonly lng: number
}

/** The machines of a list that have a place in this area, which the reader may see as far as places go. */
export async function listPlaced(
  db: Kysely<DB>,
  list: MapList,
  filter: MapFilter,
  area: MapArea,
  reader: PlaceReader,
): Promise<PlacedMachine[]> {
  const { rows } = await sql<PlacedMachine>`
    select listed.machine_id, place.lat, place.lng
    from (${'eid' in list ? devicesOf(list, filter) : entriesOf(list, filter)}) as listed
    join machines on machines.id = listed.machine_id
    join lateral ${placeOf(reader)} on true
    where (${filter.search} = '' or listed.name ilike ${patternOf(filter)} or listed.remark ilike ${patternOf(filter)}
           or machines.code like ${patternOf(filter)})
      and place.lat between ${area.south} and ${area.north} and ${isBetween(area)}`.execute(db)
  return rows
}

const patternOf = ({ search }: MapFilter): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`

const isBetween = ({ west, east }: MapArea): RawBuilder<boolean> =>
  west <= east
    ? sql`place.lng between ${west} and ${east}`
    : sql`(place.lng >= ${west} or place.lng <= ${east})`

const devicesOf = ({ eid, kind }: Extract<MapList, { eid: number }>, { groupId }: MapFilter) => sql`
  select machine_id, name, remark from enterprise_machines
  where enterprise_id = ${eid} and kind = ${kind}
    and (${groupId ?? null}::bigint is null or group_id = ${groupId ?? null})`

const entriesOf = ({ userId }: Extract<MapList, { userId: number }>, { groupId }: MapFilter) => sql`
  select machine_id, name, remark from machine_list_entries entry
  where user_id = ${userId}
    and (${groupId ?? null}::bigint is null or exists (
      select from machine_list_entry_groups grouped
      where grouped.user_id = entry.user_id and grouped.machine_id = entry.machine_id
        and grouped.group_id = ${groupId ?? null}))`
