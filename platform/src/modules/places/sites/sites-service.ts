import { type sites as contract, siteLimits } from '@busbar/contract'
import { create, Scene, SiteChangeSchema, toBinary } from '@busbar/contract/push'
import { withTransaction } from '../../../kernel/database/database.ts'
import { createUserEvents } from '../../../kernel/events/user-events.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import type { AccessPort } from '../../access/index.ts'
import { type Actor, auditAct } from '../../audit/index.ts'
import {
  byOf,
  detailOf,
  lockSpace,
  presentRow,
  requireEdit,
  requireEditable,
  requireRight,
  requireSeen,
  type Space,
  type SpaceRight,
  spaceOf,
} from '../../spaces/index.ts'
import { requireUploads } from '../../uploads/index.ts'
import * as store from './sites-store.ts'

export interface SitesDeps {
  readonly db: store.Db
  readonly access: AccessPort
}

/** A site without its plans, as a reader sees it. */
const presentFace = (site: store.StoredSite, right: SpaceRight, hidesMap: boolean) => ({
  ...presentRow(site, right),
  ...(hidesMap
    ? { lat: null, lng: null, address: '' }
    : { lat: site.lat, lng: site.lng, address: site.address }),
  radiusM: site.radiusM,
  revision: site.revision,
})

/** The sites of a space, each with the machines on its plans that the caller may see. */
export async function listSites(
  { db, access }: SitesDeps,
  { user, now }: Actor,
  space: Space,
): Promise<contract.SiteRow[]> {
  const right = await requireRight(db, user.userId, space)
  const [sites, placed, hidesMap] = await Promise.all([
    store.listSites(db, space),
    store.listPlaced(db, space),
    store.hidesMap(db, user.userId),
  ])
  const seen = await access.listVisible(
    user.userId,
    placed.map(({ machineId }) => machineId),
    now,
  )
  const bySite = Map.groupBy(
    placed.filter(({ machineId }) => seen.has(machineId)),
    ({ siteId }) => siteId,
  )
  return sites.map((site) => ({
    ...presentFace(site, right, hidesMap),
    plans: site.plans,
    machines: (bySite.get(site.id) ?? []).map(({ machineId }) => machineId),
  }))
}

/** A site as the caller may see it; from now on they receive its changes. */
export async function openSite({ db, access }: SitesDeps, actor: Actor, id: number): Promise<contract.Site> {
  const { userId } = actor.user
  const site = await requireSeen(db, userId, await store.findSite(db, id))
  await store.noteViewer(db, id, byOf(actor))
  const [plans, marks, hidesMap] = await Promise.all([
    store.listPlans(db, id),
    store.listMarks(db, id),
    store.hidesMap(db, userId),
  ])
  const machineIds = marks.map(({ machineId }) => machineId)
  const seen = await access.listVisible(userId, machineIds, actor.now)
  const byPlan = Map.groupBy(
    marks.filter(({ machineId }) => seen.has(machineId)),
    ({ planId }) => planId,
  )
  return {
    ...presentFace(site, site, hidesMap),
    plans: plans.map((plan) => ({
      ...plan,
      machines: (byPlan.get(plan.id) ?? []).map(({ machineId, x, y }) => ({ machineId, x, y })),
    })),
  }
}

/** The unplaced machines near a site that the caller may see; none for a person who hides the map. */
export async function listNearby(
  { db, access }: SitesDeps,
  { user, now }: Actor,
  id: number,
): Promise<number[]> {
  const site = await requireSeen(db, user.userId, await store.findSite(db, id))
  if (await store.hidesMap(db, user.userId)) return []
  const near = await store.listNearby(db, site, siteLimits.nearbyMax)
  const seen = await access.listVisible(user.userId, near, now)
  return near.filter((machineId) => seen.has(machineId))
}

/** Adds a site to a space. Throws 403, SITES_FULL. */
export async function addSite(
  db: store.Db,
  actor: Actor,
  space: Space,
  body: store.SiteBody,
): Promise<number> {
  await requireEdit(db, actor.user.userId, space)
  return withTransaction(db, async (trx) => {
    await lockSpace(trx, space)
    if ((await store.countSites(trx, space)) >= siteLimits.sitesPerSpace) throw new Failure('SITES_FULL')
    const id = await store.insertSite(trx, space, body, byOf(actor))
    await noteSite(trx, actor, 'site.create', id, space)
    return id
  })
}

/** Removes a site with its plans. Throws 403, 404. */
export async function removeSite(db: store.Db, actor: Actor, id: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    const site = await lockEditable(trx, actor, id)
    await publish(trx, actor, site, true)
    await store.deleteSite(trx, id)
    await noteSite(trx, actor, 'site.delete', id, spaceOf(site))
  })
}

const noteSite = (trx: store.Db, actor: Actor, action: string, id: number, space: Space) =>
  auditAct(trx, actor, { action, target: String(id), detail: detailOf(space) })

/** A site that the caller may change, under the lock of its space: changes of one space wait for one another. */
async function lockEditable(trx: store.Db, { user }: Actor, id: number): Promise<store.StoredSite> {
  const known = await requireEditable(trx, user.userId, await store.findSite(trx, id))
  await lockSpace(trx, spaceOf(known))
  return requireEditable(trx, user.userId, await store.findSite(trx, id, true))
}

/**
 * Changes a site from the revision that its editor saw; answers the new one. `change` answers other sites that lost
 * something. Throws 403, 404, SITE_CHANGED.
 */
export async function changeSite<Answer extends object>(
  db: store.Db,
  actor: Actor,
  { id, revision }: { readonly id: number; readonly revision: number },
  change: (
    trx: store.Db,
    site: store.StoredSite,
  ) => Promise<{ readonly answer: Answer; readonly others?: readonly number[] }>,
): Promise<Answer & { revision: number }> {
  return withTransaction(db, async (trx) => {
    const site = await lockEditable(trx, actor, id)
    if (site.revision !== revision) throw changedSince(site)
    const { answer, others = [] } = await change(trx, site)
    const changed = await store.noteChange(trx, [id, ...others], byOf(actor))
    for (const each of changed) await publish(trx, actor, each)
    return { ...answer, revision: revision + 1 }
  })
}

function changedSince({ revision, updatedBy, updatedAt }: store.StoredSite): Failure {
  const data: contract.ChangedSite = { revision, by: updatedBy, at: updatedAt.getTime() }
  return new Failure('SITE_CHANGED', { data: { ...data } })
}

/** Tells everybody who has a site open of its change, in the transaction of the change. */
async function publish(
  trx: store.Db,
  actor: Actor,
  { id, revision }: { readonly id: number; readonly revision: number },
  deleted = false,
): Promise<void> {
  const { userId, at } = byOf(actor)
  const userIds = await store.listViewers(trx, id, new Date(at.getTime() - store.viewedMs))
  if (userIds.length === 0) return
  const by = await store.findPersonName(trx, userId)
  const change = create(SiteChangeSchema, { siteId: String(id), revision, deleted, by })
  const body = toBinary(SiteChangeSchema, change)
  await createUserEvents(
    trx,
    Scene.SITE_CHANGE,
    at,
    userIds.map((each) => ({ userId: each, body })),
  )
}

/** A plan of a site. Throws 404. */
export async function requirePlan(trx: store.Db, siteId: number, planId: number): Promise<store.StoredPlan> {
  const plan = (await store.listPlans(trx, siteId)).find(({ id }) => id === planId)
  if (!plan) throw new Failure('404')
  return plan
}

/** Adds a plan to a site. Throws PLANS_FULL, PICTURE_UNKNOWN. */
export async function addPlan(
  trx: store.Db,
  siteId: number,
  plan: Omit<store.StoredPlan, 'id'>,
): Promise<number> {
  if ((await store.listPlans(trx, siteId)).length >= siteLimits.plansPerSite) throw new Failure('PLANS_FULL')
  await requireUploads(trx, 'sitePlan', [plan.picture])
  return store.insertPlan(trx, siteId, plan)
}

/** Sets the order of the plans of a site. Throws 404 unless each is named once. */
export async function orderPlans(trx: store.Db, siteId: number, order: readonly number[]): Promise<void> {
  const plans = await store.listPlans(trx, siteId)
  const wished = new Set(order)
  if (order.length !== plans.length || plans.some(({ id }) => !wished.has(id))) throw new Failure('404')
  await store.orderPlans(trx, order)
}

/**
 * Places machines on a plan and takes others off; answers the other sites that lost a machine. A writer moves only
 * machines that they see: the marks of others stay as they are. Throws 404, SITE_MACHINES.
 */
export async function placeMachines(
  access: AccessPort,
  trx: store.Db,
  { user, now }: Actor,
  site: store.StoredSite,
  wish: {
    readonly planId: number
    readonly place: readonly store.Mark[]
    readonly takeOff: readonly number[]
  },
): Promise<number[]> {
  const { id: planId } = await requirePlan(trx, site.id, wish.planId)
  const space = spaceOf(site)
  const placed = wish.place.map(({ machineId }) => machineId)
  const seen = await access.on(trx).listVisible(user.userId, [...placed, ...wish.takeOff], now)
  const inSpace = await store.listInSpace(trx, space, placed)
  if (placed.some((id) => !seen.has(id) || !inSpace.has(id))) throw new Failure('SITE_MACHINES')
  const others = await store.listSitesOf(trx, space, placed)
  await store.takeMarksOff(
    trx,
    planId,
    wish.takeOff.filter((id) => seen.has(id)),
  )
  await store.placeMarks(trx, space, planId, wish.place)
  return others.filter((id) => id !== site.id)
}
