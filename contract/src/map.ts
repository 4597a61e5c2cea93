import { z } from 'zod'
import { deviceTypes } from './enterprise-machines.ts'
import { eidOrPersonal, id } from './fields.ts'
import { route } from './route.ts'

/** The states that a machine is shown in on a map; a point has the place of its state here. */
export const mapStates = ['offline', 'online', 'warning', 'alarm'] as const
export type MapState = (typeof mapStates)[number]

/** Points of one answer; beyond that machines are counted by cells, which are at most as many. */
export const mapPointsMax = 5_000

/** Degrees that a map turned around the earth once may name. */
const turnedMax = 540

/** West, south, east, north: `113.7,22.4,114.7,22.9`. A west beyond the east leads over the date line. */
const bbox = z
  .string()
  .max(100)
  .regex(/^-?\d{1,3}(?:\.\d{1,20})?(?:,-?\d{1,3}(?:\.\d{1,20})?){3}$/, { message: 'bbox' })
  .refine(
    (text) => {
      const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
      const isOnEarth = Math.abs(south) <= 90 && Math.abs(north) <= 90
      return isOnEarth && Math.abs(west) <= turnedMax && Math.abs(east) <= turnedMax
    },
    { message: 'bbox' },
  )

export const getMap = route({
  method: 'GET',
  path: '/api/v1/map',
  who: 'user',
  load: 'list',
  title: { cn: '地图上的设备', en: 'Get the devices on a map' },
  request: z.object({
    bbox: bbox.describe(
      'West, south, east, north in degrees (WGS-84); a west beyond the east leads over the date line',
    ),
    zoom: z
      .number()
      .min(0)
      .max(22)
      .describe('Of the map, with fractions; cells are those of three zooms more'),
    eid: eidOrPersonal,
    type: z
      .literal([deviceTypes.enterprise, deviceTypes.maintenance])
      .default(deviceTypes.enterprise)
      .describe('Of an enterprise: 1 its own, 2 those that it maintains'),
    state: z.enum(mapStates).optional().describe('Only devices in this state'),
    groupId: id.optional().describe('Only devices of this group'),
    search: z
      .string()
      .trim()
      .max(100)
      .optional()
      .describe('A part of the name, the remark or the machine code'),
  }),
  answer: z.object({
    total: z.int().describe('Devices in view'),
    points: z
      .array(z.tuple([z.int(), z.number(), z.number(), z.int(), z.int()]))
      .describe(
        'Up to 5,000 devices, each as id, longitude, latitude, state (0 offline, 1 online, 2 warning, 3 alarm), worst alarm level (0 none, 1 info, 2 minor, 3 major, 4 critical); beyond that none',
      ),
    cells: z
      .array(z.tuple([z.number(), z.number(), z.int(), z.int(), z.int(), z.int()]))
      .describe(
        'Where there are no points: longitude and latitude of the middle of some devices, and how many of them are offline, online, in warning, in alarm',
      ),
  }),
  errors: ['403'],
})
