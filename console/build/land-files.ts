import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'

const { resolve } = createRequire(import.meta.url)

/** The land of the map, coarse and fine; digits that the source does not have only weigh. */
const files = {
  'land-110m': { source: 'world-atlas/land-110m.json', digits: 1 },
  'land-50m': { source: 'world-atlas/land-50m.json', digits: 2 },
} as const

const poleLat = 89
const atDateLine = (lng: number) => Math.abs(Math.abs(lng) - 180) < 0.01
/** Where a polygon is cut at the date line or closed at the pole, there is no coast. */
const isCut = ([lng = 0, lat = 0]: Position, [nextLng = 0, nextLat = 0]: Position) =>
  (atDateLine(lng) && atDateLine(nextLng)) || lat < -poleLat || nextLat < -poleLat

/**
 * A ring without jumps: land that crosses the date line goes on beyond 180°, which the map folds back. A ring around the
 * South Pole is closed there.
 */
function unwrap(ring: readonly Position[]): Position[] {
  let turns = 0
  const points = ring.map(([lng = 0, lat = 0], place) => {
    const [before = lng] = ring[place - 1] ?? []
    if (Math.abs(lng - before) > 180) turns += lng < before ? 1 : -1
    return [lng + turns * 360, lat]
  })
  const [first, last] = [points[0], points.at(-1)]
  if (turns === 0 || !first || !last) return points
  return [...points, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first]
}

/** The lines of a ring without its cuts. */
function coastOf(ring: readonly Position[]): Position[][] {
  const lines: Position[][] = [[]]
  ring.forEach((point, place) => {
    const before = ring[place - 1]
    if (before && isCut(before, point)) lines.push([])
    lines.at(-1)?.push(point)
  })
  return lines.filter(({ length }) => length > 1)
}

/** Land as polygons, and its coast as lines, in GeoJSON: what the map's worker reads by itself. */
export function landOf(name: keyof typeof files): FeatureCollection<MultiPolygon | MultiLineString> {
  const { source, digits } = files[name]
  const world: Topology = JSON.parse(readFileSync(resolve(source), 'utf8'))
  const unit = 10 ** digits
  const round = ([lng = 0, lat = 0]: Position) => [
    Math.round(lng * unit) / unit,
    Math.round(lat * unit) / unit,
  ]
  const coordinates = feature(world, world.objects.land as GeometryCollection)
    .features.flatMap(({ geometry }) => {
      if (geometry.type === 'MultiPolygon') return geometry.coordinates
      return geometry.type === 'Polygon' ? [geometry.coordinates] : []
    })
    .map((polygon) => polygon.map((ring) => unwrap(ring).map(round)))
  const land: Feature<MultiPolygon> = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiPolygon', coordinates },
  }
  const coast: Feature<MultiLineString> = {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiLineString', coordinates: coordinates.flat().flatMap(coastOf) },
  }
  return { type: 'FeatureCollection', features: [land, coast] }
}

const begin = 'virtual:'

/** `import url from 'virtual:land-110m'`: a file of the build, beside it a data address while it is developed. */
export function landFiles(): Plugin {
  let isBuild = false
  return {
    name: 'land-files',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    resolveId: (id) => (id.startsWith(begin) && id.slice(begin.length) in files ? `\0${id}` : undefined),
    load(id) {
      const name = id.slice(begin.length + 1)
      if (!id.startsWith(`\0${begin}`) || !(name in files)) return undefined
      const source = JSON.stringify(landOf(name as keyof typeof files))
      if (!isBuild)
        return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`
      const reference = this.emitFile({ type: 'asset', name: `${name}.json`, source })
      return `export default import.meta.ROLLUP_FILE_URL_${reference}`
    },
  }
}
