import { type Kysely, type RawBuilder, sql } from 'kysely'
import { keptPlace, type PlaceReader, placeOf } from '../../kernel/database/place-of.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { EnterpriseList } from '../access/index.ts'
import type { MapArea } from './map-area.ts'

/** The list whose machines are on the map: a person's own, or one of an enterprise. */
export type MapList = { readonly userId: number } | EnterpriseList

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
  { area, reader }: { readonly area: MapArea; readonly reader: PlaceReader },
): Promise<PlacedMachine[]> {
  const { rows } = await sql<PlacedMachine>`
    select listed.machine_id, place.lat, place.lng
    from ${listedIn(list, filter)}
    join lateral ${placeOf(reader)} on true
    where ${matches(filter)} and place.lat between ${area.south} and ${area.north} and ${isBetween(area)}`.execute(
    db,
  )
  return rows
}

/** The machines of an enterprise's list that have a place, or those of them with these ids. */
export async function listPlacedOf(
  db: Kysely<DB>,
  list: EnterpriseList,
  machineIds?: readonly number[],
): Promise<PlacedMachine[]> {
  const isNamed = machineIds ? sql`listed.machine_id = any(${[...machineIds]}::bigint[])` : sql`true`
  const { rows } = await sql<PlacedMachine>`
    select listed.machine_id, place.lat, place.lng
    from ${listedIn(list, { groupId: undefined })}
    join lateral ${keptPlace} on true
    where ${isNamed} and place.lat is not null`.execute(db)
  return rows
}

/** The machines of an enterprise's list that a filter lets through. */
export async function listMatching(
  db: Kysely<DB>,
  list: EnterpriseList,
  filter: MapFilter,
): Promise<ReadonlySet<number>> {
  // As JSON: thousands of rows take longer to read than to find.
  const { rows } = await sql<{ ids: number[] }>`
    select coalesce(json_agg(listed.machine_id), '[]') as ids
    from ${listedIn(list, filter)} where ${matches(filter)}`.execute(db)
  return new Set(rows[0]?.ids)
}

/** Whether an enterprise's list has more machines than that. */
export async function hasMoreThan(
  db: Kysely<DB>,
  { eid, kind }: EnterpriseList,
  count: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from enterprise_machines where enterprise_id = ${eid} and kind = ${kind}
    offset ${count} limit 1`.execute(db)
  return rows.length > 0
}

const listedIn = (list: MapList, filter: Pick<MapFilter, 'groupId'>) => sql`
  (${'eid' in list ? devicesOf(list, filter) : entriesOf(list, filter)}) as listed
  join machines on machines.id = listed.machine_id`

const matches = ({ search }: MapFilter): RawBuilder<boolean> => {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(${search} = '' or listed.name ilike ${pattern} or listed.remark ilike ${pattern}
    or machines.code like ${pattern})`
}

const isBetween = ({ west, east }: MapArea): RawBuilder<boolean> =>
  west <= east
    ? sql`place.lng between ${west} and ${east}`
    : sql`(place.lng >= ${west} or place.lng <= ${east})`

const devicesOf = ({ eid, kind }: EnterpriseList, { groupId }: Pick<MapFilter, 'groupId'>) => sql`
  select machine_id, name, remark from enterprise_machines
  where enterprise_id = ${eid} and kind = ${kind}
    and (${groupId ?? null}::bigint is null or group_id = ${groupId ?? null})`

const entriesOf = ({ userId }: { readonly userId: number }, { groupId }: Pick<MapFilter, 'groupId'>) => sql`
  select machine_id, name, remark from machine_list_entries entry
  where user_id = ${userId}
    and (${groupId ?? null}::bigint is null or exists (
      select from machine_list_entry_groups grouped
      where grouped.user_id = entry.user_id and grouped.machine_id = entry.machine_id
        and grouped.group_id = ${groupId ?? null}))`
