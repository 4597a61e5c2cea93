import { placeLimits } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Point } from './coordinates.ts'

type Db = Kysely<DB>

/** News of a machine that are older do not tell where it is. */
export const toldMsMax = 86_400_000
const recentMax = 10

/** All that is known of where a machine is; `isHidden`: the reader hides the map. */
export async function findWholePlace(db: Db, machineId: number, userId: number) {
  return db
    .selectFrom('machines')
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .leftJoin('machine_places as place', 'place.machine_id', 'machines.id')
    .where('machines.id', '=', machineId)
    .select([
      'machines.code',
      'machines.owned_since as ownedSince',
      'machines.owner_user_id as userId',
      'machines.owner_enterprise_id as enterpriseId',
      'reader.hide_map as isHidden',
      'place.lat',
      'place.lng',
      'place.accuracy_m as accuracyM',
      'place.source',
      'place.fixed_at as fixedAt',
      'place.address_cn as addressCn',
      'place.address_en as addressEn',
      'place.as_typed as asTyped',
      'place.type',
      'place.way',
      'place.fix_lat as fixLat',
      'place.fix_lng as fixLng',
      'place.fix_accuracy_m as fixAccuracyM',
      'place.fix_source as fixSource',
      'place.fix_at as fixAt',
      'place.anchor_lat as anchorLat',
      'place.anchor_lng as anchorLng',
      'place.moved_after_m as movedAfterM',
      'place.is_moved as isMoved',
      sql<boolean>`place.machine_id is not null`.as('isKnown'),
    ])
    .executeTakeFirstOrThrow()
}
export type WholePlace = Awaited<ReturnType<typeof findWholePlace>>

/** The newest places of a time since the machine has its owner, newest first; none for who hides the map. */
export async function listHistory(
  db: Db,
  of: { readonly machineId: number; readonly userId: number; readonly from: Date; readonly until: Date },
) {
  return db
    .selectFrom('machine_place_history as past')
    .innerJoin('machines', 'machines.id', 'past.machine_id')
    .where('past.machine_id', '=', of.machineId)
    .where('past.at', '>=', sql<Date>`greatest(${of.from}::timestamptz, machines.owned_since)`)
    .where('past.at', '<=', of.until)
    .where(sql<boolean>`not (select hide_map from users where id = ${of.userId})`)
    .orderBy('past.at', 'desc')
    .limit(placeLimits.historyRowsMax + 1)
    .select(['past.at', 'past.lat', 'past.lng', 'past.accuracy_m', 'past.source', 'past.implausible'])
    .execute()
}

/** The last places that were believed, newest first. */
export async function listRecent(db: Db, machineId: number): Promise<Point[]> {
  return db
    .selectFrom('machine_place_history')
    .where('machine_id', '=', machineId)
    .where('implausible', 'is', null)
    .orderBy('at', 'desc')
    .limit(recentMax)
    .select(['lat', 'lng'])
    .execute()
}

/** The news of a machine of the last day, and the network address from which it was connected then. */
export async function findTold(db: Db, machineId: number, now: Date) {
  const since = new Date(now.getTime() - toldMsMax)
  const { rows } = await sql<{
    told: {
      gps?: unknown
      cells?: unknown
      wifi?: unknown
      at?: Readonly<Record<string, number>>
    } | null
    toldAt: Date | null
    address: string | null
    seenAt: Date | null
  }>`
    select told.told, told.told_at as "toldAt", held.address,
           case when held.ended_at is null then ${now} else held.last_seen_at end as "seenAt"
    from machines
    left join told_places told on told.machine_id = machines.id
      and told.told_at >= greatest(${since}::timestamptz, machines.owned_since)
    left join lateral (
      select address, last_seen_at, ended_at from machine_connections
      where machine_id = machines.id and started_at >= coalesce(machines.owned_since, '-infinity')
      order by started_at desc limit 1) held on held.ended_at is null or held.ended_at >= ${since}
    where machines.id = ${machineId}`.execute(db)
  return rows[0] ?? { told: null, toldAt: null, address: null, seenAt: null }
}
