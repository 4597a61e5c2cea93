import { expect, test } from 'vitest'
import { scaleOf, shareOf } from './scale.ts'

const none = { min: null, max: null }

test('a scale is the tile’s, else the variable’s, else one with room for the value', () => {
  expect(scaleOf({ min: 0, max: 50 }, { min: 10, max: 20 }, 15)).toEqual({ min: 10, max: 20 })
  expect(scaleOf({ min: 0, max: 50 }, none, 15)).toEqual({ min: 0, max: 50 })
  expect(scaleOf(none, none, 42)).toEqual({ min: 0, max: 100 })
  expect(scaleOf(none, none, -42).min).toBeLessThan(-42)
  expect(scaleOf(none, none, 0)).toEqual({ min: 0, max: 1 })
})

test('a value outside of the scale stays at its end, and a value that is not a number has no position', () => {
  const scale = { min: 0, max: 10 }
  expect([shareOf(-5, scale), shareOf(5, scale), shareOf(15, scale)]).toEqual([0, 0.5, 1])
  expect(shareOf(null, scale)).toBeNull()
  expect(shareOf('text', scale)).toBeNull()
})
