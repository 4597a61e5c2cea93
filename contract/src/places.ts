import { z } from 'zod'
import { byRule, id, instant, nothing } from './fields.ts'
import {
  coarseReasons,
  coordinateSystems,
  implausibleReasons,
  placeLimits,
  placeSources,
  placeTypes,
  placeWays,
} from './place-fields.ts'
import { route } from './route.ts'

/** Others read it as it was typed. */
const address = byRule(
  z.string().trim().min(1).max(placeLimits.searchedTextMax),
  ['noControls'],
  'controlCharacters',
)
/** Of the coordinates in the request and in the answer. */
const coord = z.enum(coordinateSystems).default('wgs84')
const type = z.literal(Object.values(placeTypes))
const way = z.literal(Object.values(placeWays))
/** A latitude over 90 is a pair that was swapped, which is told. */
const degrees = z.number().min(-180).max(180)
const fixed = {
  lat: z.number(),
  lng: z.number(),
  accuracy: z.number().nullable(),
  source: z.enum(placeSources),
  fixedAt: instant,
}
const ofMachine = { machineID: id }
const ofKeys = { right: 'bkey+', machine: 'machineID' } as const
const ofHolders = { right: 'holder', machine: 'machineID' } as const

/** The place that was set, empty for a person who hides the map. */
const set = { lng: z.number().nullable(), lat: z.number().nullable(), address: z.string() }
/** Places that an address may mean; the machine was not placed. */
const choice = z.object({
  name: z.string(),
  address: z.string(),
  lng: z.number(),
  lat: z.number(),
  distanceM: z.number().nullable(),
})
export type PlaceChoice = z.output<typeof choice>

/** The places of an address, the likeliest first: of the operator’s providers, else cities of the world. */
export const searchAddress = route({
  method: 'GET',
  path: '/api/v1/machine/searchAddress',
  who: 'user',
  title: { cn: '搜索地址', en: 'Search an address' },
  request: z.object({ q: address }),
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

/** Where a machine is, with all that is known of it. */
export const getPlace = route({
  method: 'GET',
  path: '/api/v1/machine/place',
  who: ofHolders,
  title: { cn: '设备位置', en: 'Get where a device is' },
  request: z.object({ ...ofMachine, coord }),
  answer: z.object({
    place: z.object(fixed).nullable(),
    address: z.string(),
    asTyped: z.string().nullable(),
    suggestion: z.object({ ...fixed, distanceM: z.number().nullable() }).nullable(),
    type,
    way: way.nullable(),
    refreshes: z.object({ used: z.int(), max: z.int(), left: z.int(), resetAt: instant }),
    movedAfterM: z.int().nullable(),
    isMoved: z.boolean(),
    movedFrom: z.object({ lat: z.number(), lng: z.number() }).nullable(),
    coarse: z.enum(coarseReasons).nullable(),
  }),
  errors: [],
})

/** Where a machine was, oldest first: at most the newest 2,000 places of a time. */
export const listPlaceHistory = route({
  method: 'GET',
  path: '/api/v1/machine/placeHistory',
  who: ofHolders,
  load: 'history',
  title: { cn: '设备历史位置', en: 'List where a device was' },
  request: z.object({ ...ofMachine, from: instant, until: instant, coord }),
  answer: z.object({
    list: z.array(
      z.object({
        at: instant,
        lat: z.number(),
        lng: z.number(),
        accuracy: z.number().nullable(),
        source: z.enum(placeSources),
        implausible: z.enum(implausibleReasons).nullable(),
      }),
    ),
    isCut: z.boolean(),
  }),
  errors: [],
})

/** Places are found automatically from now on; this way comes first, then the others. */
export const setAutoLocationWay = route({
  method: 'POST',
  path: '/api/machine/machineAutoLocationWay',
  who: ofKeys,
  title: { cn: '选择自动定位方式', en: 'Choose how a device is located' },
  request: z.object({ ...ofMachine, way }),
  answer: nothing,
  errors: [],
})

export const getLocationWay = route({
  method: 'POST',
  path: '/api/machine/machineLocationWay',
  who: ofHolders,
  title: { cn: '设备的定位方式', en: 'Get how a device is located' },
  request: z.object(ofMachine),
  answer: z.object({ locationType: type, way: way.nullable(), refreshLeft: z.int() }),
  errors: [],
})

/** Places a machine at an address. One that may mean several places answers them as `choices`, and changes nothing. */
export const setPlaceByAddress = route({
  method: 'POST',
  path: '/api/machine/machineManualLocation',
  who: ofKeys,
  title: { cn: '按地址设置设备位置', en: 'Set the place of a device by its address' },
  request: z.object({ ...ofMachine, address }),
  answer: z.object({ ...set, choices: z.array(choice).max(placeLimits.foundMax) }),
  errors: ['PLACE_ADDRESS_UNKNOWN'],
  limits: ['addressSearches'],
})

export const setPlaceByCoordinates = route({
  method: 'POST',
  path: '/api/machine/machineManualLocationLatLng',
  who: ofKeys,
  title: { cn: '按坐标设置设备位置', en: 'Set the place of a device by coordinates' },
  request: z.object({ ...ofMachine, lng: degrees, lat: degrees, coord }),
  answer: z.object(set),
  errors: ['PLACE_SWAPPED', 'PLACE_ZERO'],
  limits: ['placeChanges'],
})

export const countRefreshes = route({
  method: 'POST',
  path: '/api/machine/machineStationLocationNum',
  who: ofHolders,
  title: { cn: '今天的定位次数', en: 'Count today’s refreshes of a device’s place' },
  request: z.object(ofMachine),
  answer: z.object({ used: z.int(), max: z.int(), resetAt: instant }),
  errors: [],
})

/** Finds where a machine is now: one of five a day, which is given back when the provider fails. */
export const refreshPlace = route({
  method: 'POST',
  path: '/api/machine/machineAutoLocationAddress',
  who: ofKeys,
  title: { cn: '立即定位设备', en: 'Locate a device now' },
  request: z.object({ ...ofMachine, coord }),
  answer: z.object({
    ...set,
    accuracy: z.number().nullable(),
    source: z.enum(placeSources).nullable(),
    fixedAt: instant.nullable(),
  }),
  errors: [
    'LOCATION_UNAVAILABLE',
    'PLACE_REFRESHES_USED',
    'PLACE_PROVIDER_UNREACHABLE',
    'PLACE_PROVIDER_SLOW',
    'PLACE_PROVIDER_BUSY',
    'PLACE_PROVIDER_REFUSED',
    'PLACE_PROVIDER_WRONG',
    'PLACE_WITHOUT_RADIUS',
    'PLACE_FAR_AWAY',
    'PLACE_IMPLAUSIBLE',
  ],
  limits: ['placeChanges'],
})

/** Sets how and where at once: with type 1 the way, with 2 and 3 the coordinates, and the address as it is shown. */
export const setMachineLocation = route({
  method: 'POST',
  path: '/api/v1/machine/setMachineLocation',
  who: ofKeys,
  title: { cn: '设置设备位置', en: 'Set where a device is' },
  request: z.object({
    ...ofMachine,
    type,
    way: way.optional(),
    lng: degrees.optional(),
    lat: degrees.optional(),
    address: address.optional(),
    coord,
  }),
  answer: nothing,
  errors: ['PLACE_SWAPPED', 'PLACE_ZERO'],
  limits: ['placeChanges'],
})

/** Takes the suggested place, the one of this time. */
export const acceptSuggestion = route({
  method: 'POST',
  path: '/api/v1/machine/placeSuggestion',
  who: ofKeys,
  title: { cn: '采用建议的位置', en: 'Accept the suggested place of a device' },
  request: z.object({ ...ofMachine, fixedAt: instant }),
  answer: nothing,
  errors: ['PLACE_SUGGESTION_GONE'],
  limits: ['placeChanges'],
})

/** How far from its place a machine must be for an alarm; null: moves are not told. */
export const setMovedAfter = route({
  method: 'PUT',
  path: '/api/v1/machine/movedAfter',
  who: ofKeys,
  title: { cn: '设置移位报警距离', en: 'Set how far a device may move' },
  request: z.object({
    ...ofMachine,
    movedAfterM: z.int().min(placeLimits.movedAfterMMin).max(placeLimits.movedAfterMMax).nullable(),
  }),
  answer: nothing,
  errors: [],
})
