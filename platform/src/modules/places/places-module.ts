import { places as contract } from '@busbar/contract'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { openEmbedded } from './providers/embedded.ts'
import { openAddressProviders } from './providers/open-providers.ts'
import { ProviderChain } from './providers/provider-chain.ts'

/** A tenth of a metre: no provider knows more. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** Where machines are, and where addresses are (rules/places.md). */
export function createPlacesModule({ config, rateCounters, logger, now }: Kernel): Module {
  const addresses = new ProviderChain(openAddressProviders(config), openEmbedded(), {
    counters: rateCounters,
    logger,
    now,
    callsPerDayMax: config.PLACE_CALLS_PER_DAY_MAX,
  })
  return {
    name: 'places',
    roles: ['api'],
    routes: [
      bind(contract.searchAddress, async ({ q }, { lang }) => {
        const found = await addresses.ask(
          (provider) => provider.search(q, lang),
          (places) => places.length > 0,
        )
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
