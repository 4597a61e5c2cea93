import { z } from 'zod'
import { pictureUrl } from './brand-fields.ts'
import { eidOrPersonal, id, instant, nothing, shortText } from './fields.ts'
import { route } from './route.ts'
import { siteLimits } from './site-limits.ts'

const eid = eidOrPersonal
const siteName = shortText(1, siteLimits.siteNameMax)
const planName = shortText(1, siteLimits.planNameMax)
const plan = pictureUrl.refine((url) => url !== '', { message: 'pictureUrl' })
const lat = z.number().min(-90).max(90)
const lng = z.number().min(-180).max(180)
/** A latitude over 90 is a pair that was swapped, which is told. */
const givenLat = lng
const address = shortText(0, siteLimits.addressMax)
const radiusM = z.int().min(siteLimits.radiusMin).max(siteLimits.radiusMax)
/** As PostgreSQL's integer holds it. */
const revision = z.int().min(1).max(2_147_483_647)
/** A part of the picture’s width or height, from its upper left corner. */
const part = z.number().min(0).max(1)

const mark = z.object({ machineId: id, x: part, y: part })
export type Mark = z.output<typeof mark>

/** The fields of a site in a list and on its own page; without a place for a reader who hides the map. */
const face = {
  id,
  name: z.string(),
  eid: id.nullable(),
  lat: lat.nullable(),
  lng: lng.nullable(),
  address: z.string(),
  radiusM,
  revision,
  mayEdit: z.boolean(),
  updatedAt: instant,
  updatedBy: z.string(),
}

const siteRow = z.object({ ...face, plans: z.int(), machines: z.array(id) })
export type SiteRow = z.output<typeof siteRow>

/** Devices whose values the caller may not see are left out here, as in every call for sites. */
export const listSites = route({
  method: 'GET',
  path: '/api/v1/sites',
  who: 'user',
  title: { cn: '厂区列表', en: 'List the sites' },
  request: z.object({ eid }),
  answer: z.array(siteRow),
  errors: ['403'],
})

const sitePlan = z.object({ id, name: z.string(), picture: z.string(), machines: z.array(mark) })
export type SitePlan = z.output<typeof sitePlan>

const site = z.object({ ...face, plans: z.array(sitePlan) })
export type Site = z.output<typeof site>

/** Opening a site also makes its changes reach the caller by push (scene 21) for a quarter of an hour. */
export const getSite = route({
  method: 'GET',
  path: '/api/v1/sites/:id',
  who: 'user',
  title: { cn: '厂区', en: 'Get a site' },
  request: z.object({ id }),
  answer: site,
  errors: ['404'],
})

/** The devices of the space within the radius that stand on none of its plans, the nearest first. */
export const listNearby = route({
  method: 'GET',
  path: '/api/v1/sites/:id/nearby',
  who: 'user',
  title: { cn: '厂区附近未放置的设备', en: 'List unplaced devices near a site' },
  request: z.object({ id }),
  answer: z.object({ machines: z.array(id) }),
  errors: ['404'],
})

export const createSite = route({
  method: 'POST',
  path: '/api/v1/sites',
  who: 'user',
  title: { cn: '新建厂区', en: 'Add a site' },
  request: z.object({ eid, name: siteName, lat: givenLat, lng, address: address.default(''), radiusM }),
  answer: z.object({ id }),
  errors: ['403', 'SITES_FULL', 'PLACE_SWAPPED', 'PLACE_ZERO'],
})

/** The data of `SITE_CHANGED`, which refuses a change that began from another revision. */
export interface ChangedSite {
  readonly revision: number
  readonly by: string
  readonly at: number
}

const changed = z.object({ revision })

export const updateSite = route({
  method: 'PUT',
  path: '/api/v1/sites/:id',
  who: 'user',
  title: { cn: '修改厂区', en: 'Change a site' },
  request: z.object({
    id,
    name: siteName.optional(),
    lat: givenLat.optional(),
    lng: lng.optional(),
    address: address.optional(),
    radiusM: radiusM.optional(),
    revision,
  }),
  answer: changed,
  errors: ['403', '404', 'SITE_CHANGED', 'PLACE_SWAPPED', 'PLACE_ZERO'],
})

export const deleteSite = route({
  method: 'DELETE',
  path: '/api/v1/sites/:id',
  who: 'user',
  title: { cn: '删除厂区', en: 'Delete a site' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})

export const addPlan = route({
  method: 'POST',
  path: '/api/v1/sites/:id/plans',
  who: 'user',
  title: { cn: '添加平面图', en: 'Add a plan' },
  request: z.object({
    id,
    name: planName,
    picture: plan.describe('An upload of the purpose sitePlan'),
    revision,
  }),
  answer: z.object({ planId: id, revision }),
  errors: ['403', '404', 'PLANS_FULL', 'PICTURE_UNKNOWN', 'SITE_CHANGED'],
})

export const orderPlans = route({
  method: 'PUT',
  path: '/api/v1/sites/:id/plans',
  who: 'user',
  title: { cn: '调整平面图顺序', en: 'Set the order of the plans' },
  request: z.object({
    id,
    order: z.array(id).min(1).max(siteLimits.plansPerSite).describe('Every plan of the site, each once'),
    revision,
  }),
  answer: changed,
  errors: ['403', '404', 'SITE_CHANGED'],
})

export const updatePlan = route({
  method: 'PUT',
  path: '/api/v1/sites/:id/plans/:planId',
  who: 'user',
  title: { cn: '修改平面图', en: 'Change a plan' },
  request: z.object({
    id,
    planId: id,
    name: planName.optional(),
    picture: plan.optional().describe('An upload of the purpose sitePlan'),
    revision,
  }),
  answer: changed,
  errors: ['403', '404', 'PICTURE_UNKNOWN', 'SITE_CHANGED'],
})

/** The devices on it stay devices of the space, on no plan. */
export const deletePlan = route({
  method: 'DELETE',
  path: '/api/v1/sites/:id/plans/:planId',
  who: 'user',
  title: { cn: '删除平面图', en: 'Delete a plan' },
  request: z.object({ id, planId: id, revision }),
  answer: changed,
  errors: ['403', '404', 'SITE_CHANGED'],
})

/** A device that stands on another plan of the space moves: it stands on one at most. */
export const placeMachines = route({
  method: 'PUT',
  path: '/api/v1/sites/:id/plans/:planId/machines',
  who: 'user',
  title: { cn: '在平面图上放置设备', en: 'Place devices on a plan' },
  request: z
    .object({
      id,
      planId: id,
      place: z.array(mark).max(siteLimits.machinesPerCall).default([]),
      takeOff: z
        .array(id)
        .max(siteLimits.machinesPerCall)
        .default([])
        .describe('Devices to take off the plan; another one changes nothing'),
      revision,
    })
    .refine(({ place, takeOff }) => place.length + takeOff.length <= siteLimits.machinesPerCall, {
      message: 'machinesPerCall',
      path: ['place'],
    })
    .refine(
      ({ place, takeOff }) =>
        new Set([...place.map(({ machineId }) => machineId), ...takeOff]).size ===
        place.length + takeOff.length,
      { message: 'twice', path: ['place'] },
    ),
  answer: changed,
  errors: ['403', '404', 'SITE_CHANGED', 'SITE_MACHINES'],
})
