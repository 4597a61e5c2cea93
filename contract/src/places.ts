import { z } from 'zod'
import { placeLimits } from './place-fields.ts'
import { route } from './route.ts'

/** The places of an address, the likeliest first: of the operator’s providers, else cities of the world. */
export const searchAddress = route({
  method: 'GET',
  path: '/api/v1/machine/searchAddress',
  who: 'user',
  title: { cn: '搜索地址', en: 'Search an address' },
  request: z.object({ q: z.string().trim().min(1).max(placeLimits.searchedTextMax) }),
  answer: z.array(
    z.object({
      name: z.string(),
      address: z.string(),
      lng: z.number(),
      lat: z.number(),
    }),
  ),
  errors: [],
  limits: ['addressSearches'],
})
