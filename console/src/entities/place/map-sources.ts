import { tiles } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import type { MapTiles } from './map-tiles.ts'

const freshMs = 5 * 60_000

/** The maps that the operator added for the people of this brand. */
export const mapSourcesQuery = queryOptions({
  queryKey: ['mapSources'],
  queryFn: ({ signal }) => call(tiles.listSources, {}, { signal, noNotice: true }),
  staleTime: freshMs,
})

/** Of the schematic map, among the ids of sources. */
export const schematicId = 0

/** The map that a person sees: the chosen one while there is one, and otherwise the first of the operator. */
export function findSource(
  sources: readonly tiles.TileSource[],
  chosenId: number | undefined,
): tiles.TileSource | undefined {
  if (chosenId === schematicId) return undefined
  return sources.find(({ id }) => id === chosenId) ?? sources[0]
}

/** A changed source is another one: its tiles have another address. */
export const tilesOf = ({ id, version, ...source }: tiles.TileSource): MapTiles => ({
  id: `${id} ${version}`,
  url: `/api/v1/tiles/${id}/{z}/{x}/{y}?v=${version}`,
  minZoom: source.minZoom,
  maxZoom: source.maxZoom,
  system: source.system,
  attribution: source.attribution,
  reviewNumber: source.reviewNumber,
})
