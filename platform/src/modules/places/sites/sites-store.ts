import { earthRadiusM } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../kernel/database/schema.gen.ts'
import {
  type By,
  columnsOf,
  idsOf,
  isOf,
  type Space,
  type SpaceRow,
  spaceColumns,
  spaceOf,
} from '../../spaces/index.ts'

export type Db = Kysely<DB>

/** Where a site is, and how far it reaches. */
export interface SiteBody {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly address: string
  readonly radiusM: number
}

export interface StoredSite extends SpaceRow, SiteBody {
  readonly revision: number
}

/** A machine on a plan. */
export interface Mark {
  readonly machineId: number
  readonly x: number
  readonly y: number
}

export interface StoredPlan {
  readonly id: number
  readonly name: string
  readonly picture: string
}

const columns = sql`${spaceColumns('sites')}, sites.lat, sites.lng, sites.address, sites.radius_m as "radiusM",
  sites.revision`

/** The sites of a space by name, each with the number of its plans. */
export async function listSites(db: Db, space: Space): Promise<(StoredSite & { readonly plans: number })[]> {
  const { rows } = await sql<StoredSite & { readonly plans: number }>`
    select ${columns}, (select count(*)::int from site_plans where site_id = sites.id) as plans
    from sites where ${isOf(space, 'sites')} order by lower(sites.name), sites.id`.execute(db)
  return rows
}

/** Every machine on plans of a space, with its site. */
export async function listPlaced(
  db: Db,
  space: Space,
): Promise<{ readonly siteId: number; readonly machineId: number }[]> {
  const { rows } = await sql<{ siteId: number; machineId: number }>`
    select plan.site_id as "siteId", mark.machine_id as "machineId"
    from site_machines mark join site_plans plan on plan.id = mark.plan_id
    where ${isOf(space, 'mark')} order by mark.machine_id`.execute(db)
  return rows
}

/** A site; `locked`: until the end of the transaction. */
export async function findSite(db: Db, id: number, locked = false): Promise<StoredSite | undefined> {
  const { rows } = await sql<StoredSite>`
    select ${columns} from sites where sites.id = ${id} ${locked ? sql`for no key update of sites` : sql``}`.execute(
    db,
  )
  return rows[0]
}

export async function countSites(db: Db, space: Space): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sites where ${isOf(space, 'sites')}`.execute(db)
  return rows[0]?.count ?? 0
}

const valuesOf = ({ name, lat, lng, address, radiusM }: SiteBody) => ({
  name,
  lat,
  lng,
  address,
  radius_m: radiusM,
})

export async function insertSite(trx: Db, space: Space, body: SiteBody, by: By): Promise<number> {
  const row = await trx
    .insertInto('sites')
    .values({ ...columnsOf(space), ...valuesOf(body), updated_at: by.at, updated_by: by.userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateSite(trx: Db, id: number, body: SiteBody): Promise<void> {
  await trx.updateTable('sites').set(valuesOf(body)).where('id', '=', id).execute()
}

/** Notes a change of sites, of whichever part; answers their new revisions. */
export async function noteChange(
  trx: Db,
  ids: readonly number[],
  by: By,
): Promise<{ readonly id: number; readonly revision: number }[]> {
  const { rows } = await sql<{ id: number; revision: number }>`
    update sites set revision = revision + 1, updated_at = ${by.at}, updated_by = ${by.userId}
    where id = any(${[...ids]}::bigint[]) returning id, revision`.execute(trx)
  return rows
}

export async function deleteSite(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('sites').where('id', '=', id).execute()
}

/** The plans of a site in their order. */
export async function listPlans(db: Db, siteId: number): Promise<StoredPlan[]> {
  const { rows } = await sql<StoredPlan>`
    select id, name, picture from site_plans where site_id = ${siteId} order by place`.execute(db)
  return rows
}

/** The machines on the plans of a site. */
export async function listMarks(db: Db, siteId: number): Promise<(Mark & { readonly planId: number })[]> {
  const { rows } = await sql<Mark & { planId: number }>`
    select mark.plan_id as "planId", mark.machine_id as "machineId", mark.x, mark.y
    from site_machines mark join site_plans plan on plan.id = mark.plan_id
    where plan.site_id = ${siteId} order by mark.machine_id`.execute(db)
  return rows
}

/** Adds a plan behind the others. */
export async function insertPlan(
  trx: Db,
  siteId: number,
  { name, picture }: Omit<StoredPlan, 'id'>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into site_plans (site_id, place, name, picture)
    select ${siteId}::bigint, coalesce(max(place), 0) + 1, ${name}, ${picture} from site_plans
    where site_id = ${siteId} returning id`.execute(trx)
  return (rows[0] as { id: number }).id
}

export async function updatePlan(trx: Db, { id, name, picture }: StoredPlan): Promise<void> {
  await trx.updateTable('site_plans').set({ name, picture }).where('id', '=', id).execute()
}

export async function orderPlans(trx: Db, order: readonly number[]): Promise<void> {
  await sql`
    update site_plans plan set place = wished.place
    from unnest(${[...order]}::bigint[]) with ordinality as wished (id, place) where plan.id = wished.id`.execute(
    trx,
  )
}

export async function deletePlan(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('site_plans').where('id', '=', id).execute()
}

/** The table with the machines of a space. */
const listOf = (space: Space) => sql.table('userId' in space ? 'machine_list_entries' : 'enterprise_machines')

/** Those of these machines that are in the list of a space; they stay there until the end of the transaction. */
export async function listInSpace(
  trx: Db,
  space: Space,
  machineIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select entry.machine_id as id from ${listOf(space)} entry
    where ${isOf(space, 'entry')} and entry.machine_id = any(${[...machineIds]}::bigint[])
    order by entry.machine_id for key share of entry`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** The machines of a space whose place is in a site's radius and that stand on none of its plans, the nearest first. */
export async function listNearby(db: Db, site: StoredSite, max: number): Promise<number[]> {
  const space = spaceOf(site)
  const { rows } = await sql<{ id: number }>`
    select machine_id as id from (
      select entry.machine_id, 2 * ${earthRadiusM}::float8 * asin(least(1, sqrt(
          sin(radians(place.lat - ${site.lat}) / 2) ^ 2 + cos(radians(place.lat)) * cos(radians(${site.lat}))
            * sin(radians(place.lng - ${site.lng}) / 2) ^ 2))) as metres
      from ${listOf(space)} entry join machine_places place on place.machine_id = entry.machine_id
      where ${isOf(space, 'entry')} and place.lat is not null and not exists (
        select from site_machines mark where ${isOf(space, 'mark')} and mark.machine_id = entry.machine_id)
    ) near where metres <= ${site.radiusM} order by metres, machine_id limit ${max}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The sites on whose plans these machines stand. */
export async function listSitesOf(trx: Db, space: Space, machineIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct plan.site_id as id from site_machines mark join site_plans plan on plan.id = mark.plan_id
    where ${isOf(space, 'mark')} and mark.machine_id = any(${[...machineIds]}::bigint[])`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Puts machines on a plan; one that stands on another of the space moves. */
export async function placeMarks(
  trx: Db,
  space: Space,
  planId: number,
  marks: readonly Mark[],
): Promise<void> {
  const { userId, enterpriseId } = idsOf(space)
  await sql`
    insert into site_machines (plan_id, machine_id, user_id, enterprise_id, x, y)
    select ${planId}::bigint, mark.machine_id, ${userId}::bigint, ${enterpriseId}::bigint, mark.x, mark.y
    from unnest(${marks.map(({ machineId }) => machineId)}::bigint[], ${marks.map(({ x }) => x)}::float8[],
      ${marks.map(({ y }) => y)}::float8[]) as mark (machine_id, x, y) order by mark.machine_id
    on conflict (user_id, enterprise_id, machine_id)
      do update set plan_id = excluded.plan_id, x = excluded.x, y = excluded.y`.execute(trx)
}

export async function takeMarksOff(trx: Db, planId: number, machineIds: readonly number[]): Promise<void> {
  await sql`
    delete from site_machines where plan_id = ${planId} and machine_id = any(${[...machineIds]}::bigint[])`.execute(
    trx,
  )
}

/** Takes a machine off every plan. */
export async function removeMarksOf(trx: Db, machineId: number): Promise<void> {
  await trx.deleteFrom('site_machines').where('machine_id', '=', machineId).execute()
}

/** Whether a person hides the map: they get no place from any answer. */
export async function hidesMap(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('hide_map').where('id', '=', userId).executeTakeFirst()
  return row?.hide_map === true
}

/**
 * A site counts as open for this long after it was last read; open pages read it more often (rules/places.md: sites).
 */
export const viewedMs = 15 * 60_000

/** Notes that a person has a site open. */
export async function noteViewer(db: Db, siteId: number, { userId, at }: By): Promise<void> {
  await sql`
    insert into site_viewers (site_id, user_id, seen_at) values (${siteId}, ${userId}, ${at})
    on conflict (site_id, user_id) do update set seen_at = excluded.seen_at`.execute(db)
}

/** The people who have had a site open since an instant, and may see it. */
export async function listViewers(db: Db, siteId: number, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select viewer.user_id as id from site_viewers viewer join sites on sites.id = viewer.site_id
    where viewer.site_id = ${siteId} and viewer.seen_at > ${since}
      and (sites.user_id = viewer.user_id or exists (
        select from enterprise_members mate
        where mate.user_id = viewer.user_id and mate.enterprise_id = sites.enterprise_id))
    order by viewer.user_id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function removeOldViewers(db: Db, seenBefore: Date): Promise<void> {
  await db.deleteFrom('site_viewers').where('seen_at', '<', seenBefore).execute()
}

/** The name of a person. */
export async function findPersonName(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return row?.name ?? ''
}
