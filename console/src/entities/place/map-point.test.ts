import { describe, expect, it, test } from 'vitest'
import { formatView, isWithin, parseView } from './map-point.ts'

describe('a view in the address', () => {
  it('is read as it was written, to a few metres', () => {
    const view = { lat: 22.543_096, lng: -114.057_865, zoom: 5.678 }
    expect(parseView(formatView(view))).toEqual({ lat: 22.5431, lng: -114.0579, zoom: 5.68 })
  })

  it.each(['', 'x', '91,0,3', '0,181,3', '1,2', '1,2,-3', '1,2,99', '1,2,3,4', '1.2.3,4,5', 7, null])(
    'is refused if it is %j',
    (text) => expect(parseView(text)).toBeUndefined(),
  )
})

test('an area across the date line has what lies on both sides of it', () => {
  const pacific = { west: 170, east: -170, south: -20, north: 20 }
  expect([175, -175, 0].map((lng) => isWithin(pacific, { lat: 0, lng }))).toEqual([true, true, false])
  expect(isWithin(pacific, { lat: 30, lng: 175 })).toBe(false)
})
