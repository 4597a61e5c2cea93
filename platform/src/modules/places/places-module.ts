import { places as contract } from '@busbar/contract'
import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { deletePlaces } from './places-store.ts'
import { Locator } from './providers/locator.ts'

/** A tenth of a metre: no provider knows more. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** Where machines are, and where addresses are (rules/places.md). */
export function createPlacesModule(kernel: Kernel): Module {
  const locator = new Locator(kernel)
  return {
    name: 'places',
    roles: ['api'],
    follows: [onNextOwner('places.ownerChanged', (trx, { machineId }) => deletePlaces(trx, machineId))],
    routes: [
      bind(contract.searchAddress, async ({ q }, { lang }) => {
        const found = await locator.searchAddress(q, lang)
        return found.map(({ name, address, lat, lng }) => ({
          name,
          address,
          lat: round(lat),
          lng: round(lng),
        }))
      }),
    ],
  }
}
