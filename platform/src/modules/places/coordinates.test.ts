import { readFileSync } from 'node:fs'
import { type CoordinateSystem, metresBetween } from '@busbar/contract'
import { expect, test } from 'vitest'
import { convertPoint, type Point } from './coordinates.ts'

const at = (lat: number, lng: number): Point => ({ lat, lng })

/** Pairs that the libraries coordtransform and eviltransform publish. */
const published: readonly [CoordinateSystem, Point, CoordinateSystem, Point][] = [
  ['wgs84', at(39.915, 116.404), 'gcj02', at(39.91640428150164, 116.41024449916938)],
  ['gcj02', at(39.915, 116.404), 'bd09', at(39.92133699351021, 116.41036949371029)],
  ['bd09', at(39.915, 116.404), 'gcj02', at(39.90865673957631, 116.39762729119315)],
  ['gcj02', at(39.915, 116.404), 'wgs84', at(39.91359571849836, 116.39775550083061)],
  ['wgs84', at(31.1774276, 121.5272106), 'gcj02', at(31.17530398364597, 121.531541859215)],
  ['wgs84', at(22.543847, 113.912316), 'gcj02', at(22.540796131694766, 113.9171764808363)],
  ['wgs84', at(39.911954, 116.377817), 'gcj02', at(39.91334545536069, 116.38404722455657)],
]

test.each(published)('%s %j is in %s %j', (from, point, to, wanted) => {
  expect(metresBetween(convertPoint(point, from, to), wanted)).toBeLessThan(1)
})

type Six = [number, number, number, number, number, number]

const conversions: readonly [CoordinateSystem, CoordinateSystem][] = [
  ['wgs84', 'gcj02'],
  ['gcj02', 'wgs84'],
  ['wgs84', 'bd09'],
  ['bd09', 'wgs84'],
  ['gcj02', 'bd09'],
  ['bd09', 'gcj02'],
]

/** 664 places, so 1,992 pairs. */
const publishedPlaces = readFileSync(new URL('published-places.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [wgsLng, wgsLat, gcjLng, gcjLat, bdLng, bdLat] = line.split('\t').map(Number) as Six
    return { wgs84: at(wgsLat, wgsLng), gcj02: at(gcjLat, gcjLng), bd09: at(bdLat, bdLng) }
  })

test.each(conversions)('664 published places are converted from %s to %s within a metre', (from, to) => {
  const errors = publishedPlaces.map((place) => metresBetween(convertPoint(place[from], from, to), place[to]))
  expect(errors).toHaveLength(664)
  expect(Math.max(...errors)).toBeLessThan(1)
})

/** Evenly spread over a rectangle. */
function* gridOf(south: number, north: number, west: number, east: number, step: number) {
  for (let lat = south; lat <= north; lat += step)
    for (let lng = west; lng <= east; lng += step) yield { lat, lng }
}

test.each(conversions)('from %s to %s and back is less than a metre', (from, to) => {
  let worst = 0
  for (const point of gridOf(18.3, 53.3, 73.7, 134.7, 0.37)) {
    const back = convertPoint(convertPoint(point, from, to), to, from)
    worst = Math.max(worst, metresBetween(point, back))
  }
  expect(worst).toBeLessThan(1)
})

test.each([
  ['Munich', at(48.137, 11.575)],
  ['São Paulo', at(-23.55, -46.63)],
  ['the date line', at(-17, 180)],
  ['the pole', at(90, 0)],
])('outside China WGS-84 and GCJ-02 are the same: %s', (_name, point) => {
  expect(convertPoint(point, 'wgs84', 'gcj02')).toEqual(point)
  expect(convertPoint(point, 'gcj02', 'wgs84')).toEqual(point)
})

test('a machine that walks over the edge of the conversion jumps by its offset and no more', () => {
  const way = Array.from({ length: 2_000 }, (_, step) => at(30, 71.5 + step * 0.001))
  const drawn = way.map((point) => convertPoint(point, 'wgs84', 'gcj02'))
  const steps = drawn.slice(1).map((point, index) => metresBetween(point, drawn[index] as Point))
  const offsets = way.map((point, index) => metresBetween(point, drawn[index] as Point))
  const step = metresBetween(at(30, 72), at(30, 72.001))
  expect(Math.max(...steps)).toBeLessThan(Math.max(...offsets) + 2 * step)
})
