import { sites as contract } from '@busbar/contract'
import { type Binding, bind } from '../../../kernel/http/bind.ts'
import { spaceOfCall } from '../../spaces/index.ts'
import { requireUploads } from '../../uploads/index.ts'
import { readPoint } from '../read-point.ts'
import * as service from './sites-service.ts'
import * as store from './sites-store.ts'

/** The calls for sites. */
export function sitesRoutes(deps: service.SitesDeps): Binding[] {
  const { db, access } = deps
  return [
    bind(contract.listSites, ({ eid }, context) =>
      service.listSites(deps, context, spaceOfCall(context.user.userId, eid)),
    ),

    bind(contract.getSite, ({ id }, context) => service.openSite(deps, context, id)),

    bind(contract.listNearby, async ({ id }, context) => ({
      machines: await service.listNearby(deps, context, id),
    })),

    bind(contract.createSite, async ({ eid, ...body }, context) => {
      readPoint({ ...body, coord: 'wgs84' })
      return { id: await service.addSite(db, context, spaceOfCall(context.user.userId, eid), body) }
    }),

    bind(contract.updateSite, (wish, context) =>
      service.changeSite(db, context, wish, async (trx, site) => {
        const { name = site.name, lat = site.lat, lng = site.lng } = wish
        const { address = site.address, radiusM = site.radiusM } = wish
        if (wish.lat !== undefined || wish.lng !== undefined) readPoint({ lat, lng, coord: 'wgs84' })
        await store.updateSite(trx, site.id, { name, lat, lng, address, radiusM })
        return { answer: {} }
      }),
    ),

    bind(contract.deleteSite, async ({ id }, context) => {
      await service.removeSite(db, context, id)
      return {}
    }),

    bind(contract.addPlan, ({ name, picture, ...named }, context) =>
      service.changeSite(db, context, named, async (trx, { id }) => ({
        answer: { planId: await service.addPlan(trx, id, { name, picture }) },
      })),
    ),

    bind(contract.orderPlans, ({ order, ...named }, context) =>
      service.changeSite(db, context, named, async (trx, { id }) => {
        await service.orderPlans(trx, id, order)
        return { answer: {} }
      }),
    ),

    bind(contract.updatePlan, ({ planId, name, picture, ...named }, context) =>
      service.changeSite(db, context, named, async (trx, { id }) => {
        const plan = await service.requirePlan(trx, id, planId)
        if (picture !== undefined) await requireUploads(trx, 'sitePlan', [picture])
        await store.updatePlan(trx, { id: planId, name: name ?? plan.name, picture: picture ?? plan.picture })
        return { answer: {} }
      }),
    ),

    bind(contract.deletePlan, ({ planId, ...named }, context) =>
      service.changeSite(db, context, named, async (trx, { id }) => {
        await service.requirePlan(trx, id, planId)
        await store.deletePlan(trx, planId)
        return { answer: {} }
      }),
    ),

    bind(contract.placeMachines, ({ planId, place, takeOff, ...named }, context) =>
      service.changeSite(db, context, named, async (trx, site) => ({
        answer: {},
        others: await service.placeMachines(access, trx, context, site, { planId, place, takeOff }),
      })),
    ),
  ]
}
