import { z } from 'zod'
import { askJson, refuse } from '../../../kernel/outgoing-http/ask-json.ts'
import { convertPoint } from '../coordinates.ts'
import type { AddressProvider } from './address-provider.ts'
import type { KeyedService } from './amap.ts'

const envelope = { status: z.int(), message: z.string().default('') }
const location = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
const part = z.string().default('')
const found = z.object({
  ...envelope,
  result: z
    .object({
      location,
      address_components: z.object({
        province: part,
        city: part,
        district: part,
        street: part,
        street_number: part,
      }),
    })
    .optional(),
})
const named = z.object({ ...envelope, result: z.object({ address: part }).optional() })

/** The service does not know: an answer like any other, and not a failure. */
export const nothingFound = 347
/** 300 to 399 are about the question, but for the form of the key. */
const wrongKey = 311

export function refuseTencent({ status, message }: { readonly status: number; readonly message: string }) {
  const isOfQuestion = Math.floor(status / 100) === 3 && status !== wrongKey
  refuse(`${status} ${message}`, isOfQuestion ? 'questionRefused' : 'refused')
}

/**
 * Tencent’s geocoder, version 1 (lbs.qq.com/service/webService/webServiceGuide/address/Geocoder), built after its
 * documentation. It speaks GCJ-02, and Chinese alone; it answers one place.
 */
export function openTencent({ url, key }: KeyedService): AddressProvider {
  const addressOf = (query: Readonly<Record<string, string>>) =>
    new URL(`/ws/geocoder/v1/?${new URLSearchParams({ key, ...query })}`, url)
  return {
    name: 'tencent',
    async search(address) {
      const { result, ...answer } = await askJson(addressOf({ address }), found)
      if (answer.status === nothingFound) return []
      if (answer.status !== 0) refuseTencent(answer)
      if (!result) return []
      const { province, city, district, street, street_number } = result.address_components
      const parts = [province, city, district, street, street_number]
      return [
        {
          name: district || city || province,
          // A municipality is its own province, and a city without districts its own district.
          address: parts.filter((name, at) => name !== parts[at - 1]).join(''),
          ...convertPoint(result.location, 'gcj02', 'wgs84'),
        },
      ]
    },
    async nameOf(point) {
      const { lat, lng } = convertPoint(point, 'wgs84', 'gcj02')
      const query = { location: `${lat.toFixed(6)},${lng.toFixed(6)}` }
      const { result, ...answer } = await askJson(addressOf(query), named)
      if (answer.status !== 0) refuseTencent(answer)
      return result?.address || undefined
    },
  }
}
