import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PlaceReader, placeOf, type ReadPlace } from '../../kernel/database/place-of.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { nameFor } from '../machine-names/index.ts'

type Db = Kysely<DB>

/** A machine as one person sees it. */
export interface AttributesRow extends Pick<ReadPlace, 'lat' | 'lng' | 'address'> {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly remark: string
  /** Names of the person's groups it is in. */
  readonly groups: string
  readonly check_type: number
  readonly cloud_service: boolean
}

/** Ids of the machines of a person's list, by name. */
export async function listListedIds(
  db: Db,
  userId: number,
  filter: { readonly groupId: number | undefined; readonly search: string },
): Promise<number[]> {
  const { groupId, search } = filter
  const holds = `%${escapeLike(search)}%`
  const { rows } = await sql<{ machine_id: number }>`
    select entry.machine_id
    from machine_list_entries entry join machines on machines.id = entry.machine_id
    where entry.user_id = ${userId}
      and (${search} = '' or entry.name ilike ${holds} or entry.remark ilike ${holds} or machines.code like ${holds})
      and (${groupId ?? null}::bigint is null or exists (
        select from machine_list_entry_groups held
        where held.user_id = entry.user_id and held.machine_id = entry.machine_id and held.group_id = ${groupId ?? null}))
    order by entry.name, entry.machine_id`.execute(db)
  return rows.map((row) => row.machine_id)
}

/** These machines, in this order, under the names they have for the person. */
export async function listAttributes(
  db: Db,
  reader: PlaceReader,
  machineIds: readonly number[],
): Promise<AttributesRow[]> {
  const { userId } = reader
  const wanted: RawBuilder<unknown> = sql`unnest(${[...machineIds]}::bigint[]) with ordinality as wanted (id, rank)`
  const { rows } = await sql<AttributesRow>`
    select machines.id, machines.code, ${nameFor(sql`${userId}::bigint`, sql.ref('machines.id'))} as name,
           coalesce(entry.remark, '') as remark,
           coalesce((select string_agg(own.name, ', ' order by own.name)
                     from machine_list_entry_groups held join machine_groups own on own.id = held.group_id
                     where held.user_id = entry.user_id and held.machine_id = entry.machine_id), '') as groups,
           machines.check_type, machines.cloud_service, place.lat, place.lng, place.address
    from ${wanted} join machines on machines.id = wanted.id
    left join machine_list_entries entry on entry.machine_id = machines.id and entry.user_id = ${userId}
    left join lateral ${placeOf(reader)} on true
    order by wanted.rank`.execute(db)
  return rows
}
