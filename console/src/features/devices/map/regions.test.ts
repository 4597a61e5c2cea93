import { describe, expect, it } from 'vitest'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { MapCity } from '../../../entities/place/map-cities.ts'
import { inAlarm, pointsOf } from './map-points.ts'
import { cityFinder, groupByRegion, regionName } from './regions.ts'

const guangdong = { cn: '广东省', en: 'Guangdong' }
const shenzhen: MapCity = { lat: 22.55, lng: 114.08, en: 'Shenzhen', cn: '深圳', region: guangdong }
const munich: MapCity = { lat: 48.14, lng: 11.58, en: 'Munich', cn: '慕尼黑', region: 'DE' }
const find = cityFinder([shenzhen, munich])
const machine = (id: number, change: Partial<Machine> = {}) =>
  ({
    id,
    name: `M${id}`,
    online: true,
    openAlarms: 0,
    worstAlarm: null,
    lat: 0,
    lng: 0,
    ...change,
  }) as Machine

describe('the region of a place', () => {
  it('is that of the nearest large city, in the language of the reader', () => {
    const city = find({ lat: 23.13, lng: 113.26 })
    expect(city && [regionName(city, 'cn'), regionName(city, 'en')]).toEqual(['广东省', 'Guangdong'])
    expect(regionName(munich, 'cn')).toBe('德国')
  })

  it('is missing far from any city: at sea nobody is in a province', () => {
    expect(find({ lat: 0, lng: -140 })).toBeUndefined()
    expect(find({ lat: 22.5, lng: 118 })).toBeUndefined()
  })
})

it('lists the largest region first, and machines far away and without a place apart, last', () => {
  const kinds = ['far', 'named', 'none', 'named'] as const
  const rows = kinds.map((_, place) => machine(place))
  const regions = groupByRegion(rows, ({ id }) => {
    const kind = kinds[id] ?? 'none'
    return { kind, name: kind === 'named' ? 'Hunan' : '' }
  })
  expect(regions.map(({ kind, machines }) => [kind, machines.length])).toEqual([
    ['named', 2],
    ['far', 1],
    ['none', 1],
  ])
})

it('draws the state that the row shows, and leaves out machines without a place', () => {
  const rows = [
    machine(1, { online: false, openAlarms: 1, worstAlarm: 'critical' }),
    machine(2, { lat: null }),
  ]
  expect(pointsOf(rows)).toEqual([{ id: 1, name: 'M1', state: 'offline', lat: 0, lng: 0 }])
  expect(pointsOf(rows)[0]).toBe(pointsOf(rows)[0])
})

it('goes from alarm to alarm, the worst first', () => {
  const rows = [
    machine(1),
    machine(2, { openAlarms: 1, worstAlarm: 'minor' }),
    machine(3, { openAlarms: 1, worstAlarm: 'critical' }),
    machine(4, { openAlarms: 1, worstAlarm: 'critical', lat: null, lng: null }),
  ]
  expect(inAlarm(rows).map(({ id }) => id)).toEqual([3, 2])
})
