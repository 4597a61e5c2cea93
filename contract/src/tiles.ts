import { z } from 'zod'
import { id, nothing } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { route } from './route.ts'
import { tileLimits, tileSystems } from './tile-fields.ts'

/** The place of a tile: zoom, column and row, counted from the north-west. */
export const tilePlace = z.object({
  id,
  z: z.int().min(0).max(tileLimits.zoomMax).describe('The zoom'),
  x: z
    .int()
    .min(0)
    .max(2 ** tileLimits.zoomMax)
    .describe('The column'),
  y: z
    .int()
    .min(0)
    .max(2 ** tileLimits.zoomMax)
    .describe('The row, from the north'),
  v: z.string().max(36).optional().describe('The source’s `version`, so that no older copy is shown'),
})

const tileSource = z.object({
  id,
  name: z.object({ cn: z.string(), en: z.string() }),
  system: z.enum(tileSystems),
  minZoom: z.int(),
  maxZoom: z.int(),
  attribution: z.string(),
  reviewNumber: z
    .string()
    .describe('The map review number of China, to be shown on the map; empty: the map isn’t a reviewed one'),
  version: z.string().describe('Another one after each change'),
})
export type TileSource = z.output<typeof tileSource>

export const listSources = route({
  method: 'GET',
  path: '/api/v1/tiles',
  who: 'user',
  title: { cn: '可选的地图', en: 'List the maps to choose from' },
  request: nothing,
  answer: z.array(tileSource).describe('Those of the brand of this host; empty: the schematic map only'),
  errors: [],
})

/** A picture of the map. Where none can be had, it is a grey one. */
export const getTile = route({
  method: 'GET',
  path: '/api/v1/tiles/:id/:z/:x/:y',
  who: 'user',
  title: { cn: '地图瓦片', en: 'Get a tile of a map' },
  request: tilePlace,
  answer: fileAnswer,
  file: true,
  countedAs: 'tiles',
  errors: ['404'],
})
