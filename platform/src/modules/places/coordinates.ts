import { createRequire } from 'node:module'
import type { CoordinateSystem } from '@busbar/contract'

/** Its types describe an ES module, and Node gets its CommonJS file. */
const gcoord = createRequire(import.meta.url)('gcoord') as typeof import('gcoord').default

/** A place on the earth, in degrees. */
export interface Point {
  readonly lat: number
  readonly lng: number
}

const systems = { wgs84: gcoord.WGS84, gcj02: gcoord.GCJ02, bd09: gcoord.BD09 } as const

/**
 * Converts a place between coordinate systems. There and back differs by less than 1 m. Outside the rectangle that GCJ-02
 * takes for China, WGS-84 and GCJ-02 are the same.
 */
export function convertPoint({ lat, lng }: Point, from: CoordinateSystem, to: CoordinateSystem): Point {
  if (from === to) return { lat, lng }
  const [convertedLng = lng, convertedLat = lat] = gcoord.transform([lng, lat], systems[from], systems[to])
  return { lat: convertedLat, lng: convertedLng }
}
