import { z } from 'zod'
import { byRule, id, instant, nothing, paged, shortText } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'
import { tileFaults, tileKinds, tileLimits, tileSystems } from './tile-fields.ts'
import { tilePlace } from './tiles.ts'

const nameText = shortText(1, tileLimits.nameMax)
const zoom = z.int().min(0).max(tileLimits.zoomMax)
const line = (max: number) => byRule(z.string().trim().max(max), ['noControls'], 'controlCharacters')

const fields = {
  brandId: id.describe('The brand whose people see this map'),
  name: z.object({ cn: nameText, en: nameText }),
  kind: z.enum(tileKinds),
  url: line(tileLimits.urlMax)
    .min(1)
    .describe(
      'With {z}, {x} and {y} (WMTS: or {TileMatrix}, {TileCol} and {TileRow}), {-y} counted from below, {key}; of pmtiles the name of the file',
    ),
  system: z.enum(tileSystems),
  minZoom: zoom,
  maxZoom: zoom,
  attribution: shortText(0, tileLimits.attributionMax).describe('Shown on the map'),
  reviewNumber: shortText(0, tileLimits.reviewNumberMax).describe(
    'The map review number of China, shown on the map; empty: the map isn’t a reviewed one',
  ),
  isCached: z.boolean().describe('Whether the terms of its maker allow the platform to keep tiles'),
}

const key = line(tileLimits.keyMax)
  .optional()
  .describe('The maker’s key; never answered. Absent: the one it has; empty: none')

const tileSourceRow = z.object({
  id,
  ...fields,
  hasKey: z.boolean(),
  version: z.string().describe('Another one after each change'),
  failedAt: instant.nullable().describe('When a tile was last missing'),
  fault: z.enum(tileFaults).nullable().describe('The reason of that'),
  status: z.int().nullable().describe('The HTTP status that was the reason'),
})
export type TileSourceRow = z.output<typeof tileSourceRow>

const tileSourceFields = z.object({ ...fields, key })
export type TileSourceFields = z.output<typeof tileSourceFields>

export const listTileSources = route({
  method: 'GET',
  path: '/api/operator/v1/tile-sources',
  who: 'operator',
  title: { cn: '地图来源列表', en: 'List map sources' },
  request: z.object({ ...paging }),
  answer: paged(tileSourceRow).extend({
    unreviewed: z
      .array(z.object({ cn: z.string(), en: z.string() }))
      .describe('Brands with an ICP number of a public platform, but without a reviewed map'),
    files: z.array(z.string()).describe('The PMTiles files to choose from'),
  }),
  errors: [],
})

export const createTileSource = route({
  method: 'POST',
  path: '/api/operator/v1/tile-sources',
  who: 'operator',
  title: { cn: '新建地图来源', en: 'Add a map source' },
  request: tileSourceFields,
  answer: z.object({ id }),
  errors: ['404', 'TILE_SOURCES_FULL', 'TILE_ADDRESS', 'TILE_FILE'],
})

export const updateTileSource = route({
  method: 'PUT',
  path: '/api/operator/v1/tile-sources/:id',
  who: 'operator',
  title: { cn: '修改地图来源', en: 'Edit a map source' },
  request: tileSourceFields.extend({ id }),
  answer: nothing,
  errors: ['404', 'TILE_SOURCES_FULL', 'TILE_ADDRESS', 'TILE_FILE'],
})

export const removeTileSource = route({
  method: 'DELETE',
  path: '/api/operator/v1/tile-sources/:id',
  who: 'operator',
  title: { cn: '删除地图来源', en: 'Delete a map source' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

/** As `getTile`, of a source of any brand. */
export const getTilePreview = route({
  method: 'GET',
  path: '/api/operator/v1/tile-sources/:id/:z/:x/:y',
  who: 'operator',
  title: { cn: '预览地图瓦片', en: 'Get a tile of any map source' },
  request: tilePlace,
  answer: fileAnswer,
  file: true,
  errors: ['404'],
})
