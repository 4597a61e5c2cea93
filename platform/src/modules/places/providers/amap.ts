import { placeLimits } from '@busbar/contract'
import { z } from 'zod'
import { askJson, refuse } from '../../../kernel/outgoing-http/ask-json.ts'
import { convertPoint, type Point } from '../coordinates.ts'
import type { AddressProvider } from './address-provider.ts'

export interface KeyedService {
  readonly url: string
  readonly key: string
}

/** AMap writes an empty list where a text is missing. */
const text = z.union([z.string(), z.array(z.never()).transform(() => '')]).default('')
/** `longitude,latitude` */
export const amapLocation = z
  .string()
  .regex(/^-?\d{1,3}(\.\d+)?,-?\d{1,2}(\.\d+)?$/)
  .transform((pair): Point => {
    const [lng, lat] = pair.split(',').map(Number) as [number, number]
    return { lat, lng }
  })
  .refine(({ lat, lng }) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180)

export const amapEnvelope = { status: z.string(), info: text, infocode: text }
/** By the first digit of its code: 1 is the key and its quota, 2 and 3 are the question and what was found for it. */
export const refuseAmap = ({ info, infocode }: { readonly info: string; readonly infocode: string }) =>
  refuse(info, /^[23]/.test(infocode) ? 'questionRefused' : 'refused')
const found = z.object({
  ...amapEnvelope,
  geocodes: z
    .array(z.object({ formatted_address: text, district: text, city: text, location: amapLocation }))
    .max(placeLimits.foundMax)
    .default([]),
})
const named = z.object({ ...amapEnvelope, regeocode: z.object({ formatted_address: text }).optional() })

/**
 * AMap’s geocoding, version 3 (lbs.amap.com/api/webservice/guide/api/georegeo), built after its documentation. It speaks
 * GCJ-02, and Chinese alone.
 */
export function openAmap({ url, key }: KeyedService): AddressProvider {
  const addressOf = (path: string, query: Readonly<Record<string, string>>) =>
    new URL(`/v3/geocode/${path}?${new URLSearchParams({ key, output: 'JSON', ...query })}`, url)
  return {
    name: 'amap',
    async search(address) {
      const answer = await askJson(addressOf('geo', { address }), found)
      if (answer.status !== '1') refuseAmap(answer)
      return answer.geocodes.map(({ formatted_address, district, city, location: point }) => ({
        name: district || city || formatted_address,
        address: formatted_address,
        ...convertPoint(point, 'gcj02', 'wgs84'),
      }))
    },
    async nameOf(point) {
      const { lat, lng } = convertPoint(point, 'wgs84', 'gcj02')
      const query = { location: `${lng.toFixed(6)},${lat.toFixed(6)}` }
      const answer = await askJson(addressOf('regeo', query), named)
      if (answer.status !== '1') refuseAmap(answer)
      return answer.regeocode?.formatted_address || undefined
    },
  }
}
