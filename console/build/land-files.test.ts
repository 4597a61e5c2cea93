import { brotliCompressSync } from 'node:zlib'
import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { landOf } from './land-files.ts'

const bytesOf = (value: unknown) => brotliCompressSync(JSON.stringify(value)).length

describe.each(['land-110m', 'land-50m'] as const)('%s', (name) => {
  const [land, coast] = landOf(name).features
  const rings = ((land?.geometry.coordinates ?? []) as Position[][][]).flat()
  const lines = (coast?.geometry.coordinates ?? []) as Position[][]
  const edges = (paths: readonly Position[][]) =>
    paths.flatMap((path) => path.slice(1).map((point, place) => [path[place] ?? [], point] as const))

  it('has closed rings that never jump across the map', () => {
    for (const ring of rings) expect(ring.at(-1)).toEqual(ring[0])
    const longest = Math.max(
      ...edges(rings).map(([[a = 0, lat = 0], [b = 0]]) => (lat < -89 ? 0 : Math.abs(b - a))),
    )
    expect(longest).toBeLessThan(20)
  })

  it('has no coast at the pole or along the date line', () => {
    const isAtLine = (lng = 0) => Math.abs(Math.abs(lng) - 180) < 0.01
    expect(edges(lines).filter(([[a], [b]]) => isAtLine(a) && isAtLine(b))).toEqual([])
    expect(lines.flat().filter(([, lat = 0]) => lat < -89)).toEqual([])
  })
})

it('weighs what the map may: 25 kB at first, 200 kB from zoom 3 on', () => {
  expect(bytesOf(landOf('land-110m'))).toBeLessThan(25_000)
  expect(bytesOf(landOf('land-50m'))).toBeLessThan(200_000)
})
