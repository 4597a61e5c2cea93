import { expect, it } from 'vitest'
import { diffPoints } from './map-features.ts'
import type { MapPoint } from './map-point.ts'

const one: MapPoint = { id: 1, name: 'Pump 1', state: 'online', lat: 31, lng: 121 }
const two: MapPoint = { id: 2, name: 'Pump 2', state: 'online', lat: 22, lng: 114 }
const mapOf = (...points: readonly MapPoint[]) => new Map(points.map((point) => [point.id, point]))
const drawn = ({ lat, lng }: { lat: number; lng: number }): [number, number] => [lng, lat]

it('nothing changes on the map where nothing did, also if every object is another one', () => {
  expect(diffPoints(mapOf(one, two), mapOf({ ...one }, { ...two }), drawn)).toBeUndefined()
})

it('only what differs is told: a place, a state, a newcomer, one that is gone', () => {
  const moved = { ...one, lng: 122 }
  const three = { ...two, id: 3 }
  expect(diffPoints(mapOf(one, two), mapOf(moved, three), drawn)).toMatchObject({
    remove: [2],
    add: [{ id: 3, properties: { id: 3, state: 'online' } }],
    update: [{ id: 1, newGeometry: { coordinates: [122, 31] }, addOrUpdateProperties: [] }],
  })
  expect(diffPoints(mapOf(one), mapOf({ ...one, state: 'alarm' }), drawn)).toEqual({
    add: [],
    remove: [],
    update: [{ id: 1, addOrUpdateProperties: [{ key: 'state', value: 'alarm' }] }],
  })
})
