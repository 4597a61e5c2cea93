import { expect, test } from 'vitest'
import { metresBetween } from './metres-between.ts'

const at = (lat: number, lng: number) => ({ lat, lng })

test('the way over the earth is the shortest, also across the date line and to the other pole', () => {
  expect(metresBetween(at(0, 0), at(0, 1))).toBeCloseTo(111_195, -1)
  expect(metresBetween(at(0, 179.9), at(0, -179.9))).toBeCloseTo(22_239, -1)
  expect(metresBetween(at(90, 0), at(-90, 0))).toBeCloseTo(20_015_115, -2)
  expect(metresBetween(at(31.2304, 121.4737), at(22.5431, 114.0579)) / 1000).toBeCloseTo(1_214, -1)
})
