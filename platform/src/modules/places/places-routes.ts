import { places as contract, metresBetween, placeTypes } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findWholePlace, listHistory } from './place-reads-store.ts'
import * as service from './place-service.ts'
import {
  isWithheld,
  presentHistory,
  presentPlace,
  presentPoint,
  presentRefreshes,
  presentWay,
} from './place-views.ts'
import { ownerDayOf, refreshPlace } from './refresh-service.ts'
import { findRefreshes } from './refreshes-store.ts'
import { readTold } from './told-signals.ts'

/** Where machines are, and how people set it. */
export function placesRoutes(deps: service.PlaceDeps): Binding[] {
  const { db, locator } = deps

  async function readRefreshes(machineId: number, userId: number, now: number) {
    const row = await findWholePlace(db, machineId, userId)
    return { row, refreshes: await findRefreshes(db, await ownerDayOf(db, machineId, row, now)) }
  }

  return [
    bind(contract.searchAddress, async ({ q }, { lang }) => {
      const found = await locator.searchAddress(q, lang)
      return found.map(({ name, address, ...point }) => ({ name, address, ...presentPoint(point, 'wgs84') }))
    }),

    bind(contract.getPlace, async ({ machineID, coord }, { user, now, lang }) => {
      const { row, refreshes } = await readRefreshes(machineID, user.userId, now)
      const told = await readTold(db, machineID, now)
      const { device, wifi, cells } = told.signals
      const isTaken = locator.canLocate({ device, wifi }) || locator.canLocate({ device, cells })
      const answer = presentPlace(row, { told, isTaken, refreshes, coord, lang })
      if (!answer.place || answer.address !== '' || row.lat === null || row.lng === null) return answer
      return { ...answer, address: (await locator.cityOf({ lat: row.lat, lng: row.lng }, lang)) ?? '' }
    }),

    bind(contract.listPlaceHistory, async ({ machineID, from, until, coord }, { user }) => {
      if (from > until) throw new Failure('400', { field: 'until' })
      const span = { machineId: machineID, userId: user.userId, from: new Date(from), until: new Date(until) }
      return presentHistory(await listHistory(db, span), coord)
    }),

    bind(contract.getLocationWay, async ({ machineID }, { user, now }) => {
      const { row, refreshes } = await readRefreshes(machineID, user.userId, now)
      const { left } = presentRefreshes(refreshes)
      return { ...presentWay(row), refreshLeft: left }
    }),

    bind(contract.countRefreshes, async ({ machineID }, { user, now }) => {
      const { refreshes } = await readRefreshes(machineID, user.userId, now)
      const { left: _, ...counted } = presentRefreshes(refreshes)
      return counted
    }),

    bind(contract.refreshPlace, async ({ machineID, coord }, context) => {
      const { address, isHidden, accuracyM, source, at, ...point } = await refreshPlace(
        deps,
        context,
        machineID,
      )
      if (isHidden) return { ...nowhere, accuracy: null, source: null, fixedAt: null }
      return { ...presentPoint(point, coord), address, accuracy: accuracyM, source, fixedAt: at }
    }),

    bind(contract.setAutoLocationWay, async ({ machineID, way }, context) => {
      await service.chooseWay(deps, context, machineID, way)
      return {}
    }),

    bind(contract.setPlaceByAddress, async ({ machineID, address }, context) => {
      const { placed, choices } = await service.setByAddress(deps, context, machineID, address)
      const now = await findWholePlace(db, machineID, context.user.userId)
      const shown = placed && !now.isHidden ? { ...presentPoint(placed, 'wgs84'), address } : nowhere
      const from =
        now.lat === null || now.lng === null || isWithheld(now, now.fixedAt)
          ? undefined
          : { lat: now.lat, lng: now.lng }
      return {
        ...shown,
        choices: choices.map(({ name, address: found, ...point }) => ({
          name,
          address: found,
          ...presentPoint(point, 'wgs84'),
          distanceM: from ? Math.round(metresBetween(from, point)) : null,
        })),
      }
    }),

    bind(contract.setPlaceByCoordinates, async ({ machineID, lng, lat, coord }, context) => {
      const address = await service.setByCoordinates(deps, context, machineID, { lng, lat, coord })
      const { isHidden } = await findWholePlace(db, machineID, context.user.userId)
      return isHidden ? nowhere : { lng, lat, address }
    }),

    bind(contract.setMachineLocation, async ({ machineID, type, way, lng, lat, address, coord }, context) => {
      if (type === placeTypes.auto) await service.chooseWay(deps, context, machineID, way)
      else if (lat === undefined || lng === undefined)
        throw new Failure('400', { field: lat === undefined ? 'lat' : 'lng' })
      else await service.setByCoordinates(deps, context, machineID, { lng, lat, coord, type, address })
      return {}
    }),

    bind(contract.acceptSuggestion, async ({ machineID, fixedAt }, context) => {
      await service.acceptSuggestion(deps, context, machineID, fixedAt)
      return {}
    }),

    bind(contract.setMovedAfter, async ({ machineID, movedAfterM }, context) => {
      await service.setMovedAfter(deps, context, machineID, movedAfterM)
      return {}
    }),
  ]
}

const nowhere = { lat: null, lng: null, address: '' }
