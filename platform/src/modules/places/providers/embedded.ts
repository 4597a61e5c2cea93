import { findRegion } from '../../geo-ip/index.ts'
import { Gazetteer } from '../gazetteer/gazetteer.ts'
import type { AddressProvider } from './address-provider.ts'
import type { PositionProvider } from './position-provider.ts'

/** The cities that ship with the platform; they are read when the first person asks. */
export function openEmbedded(): AddressProvider & PositionProvider {
  let opened: Promise<Gazetteer> | undefined
  const open = () => {
    opened ??= Gazetteer.open().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    name: 'embedded',
    search: async (text, lang) => (await open()).search(text, lang),
    nameOf: async (point, lang) => (await open()).nameOf(point, lang),
    canLocate: ({ ip }) => ip !== undefined && (findRegion(ip)?.province ?? '') !== '',
    async locate({ ip }) {
      const region = ip === undefined ? undefined : findRegion(ip)
      if (!region?.province) return
      const city = (await open()).findChineseCity(region.province, region.city)
      return city && { lat: city.lat, lng: city.lng, accuracyM: city.radiusM, source: 'ip' }
    },
  }
}
