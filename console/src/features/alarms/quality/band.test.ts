import { expect, it } from 'vitest'
import { bandsOf, placeIn } from './band.ts'

const targets = { acceptable: 1, manageable: 2 }

it('leaves the bands of a rate no gap, and gives the value room', () => {
  for (const value of [0, 0.4, 2, 37]) {
    const { bands, end } = bandsOf(targets, value)
    expect(bands.map(({ from }) => from)).toEqual([0, ...bands.slice(0, -1).map(({ to }) => to)])
    expect(bands.at(-1)?.to).toBe(end)
    expect(placeIn(value, end)).toBeLessThan(1)
  }
})

it('draws a rate where its number says: a small one seemed to fill a third of its band', () => {
  expect(placeIn(0.1, 4)).toBe(0.025)
  expect(placeIn(1, 4)).toBe(0.25)
})

it('keeps a value within the chart', () => {
  expect(placeIn(-1, 4)).toBe(0)
  expect(placeIn(9, 4)).toBe(1)
})
