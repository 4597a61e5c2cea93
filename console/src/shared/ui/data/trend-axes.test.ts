import { expect, it } from 'vitest'
import { axisWidth, fitUnit } from './trend-axes.ts'

/** Six pixels a letter. */
const measure = (text: string) => text.length * 6

it('makes room at the axis for a unit that is wider than the labels, so that it is not cut', () => {
  expect(axisWidth(measure, ['10', '20'], 'L/min')).toBeGreaterThanOrEqual(measure('L/min') + 8)
  expect(axisWidth(measure, ['1000.00'], 'A')).toBeGreaterThanOrEqual(measure('1000.00') + 8)
  expect(axisWidth(measure, [], '')).toBe(32)
})

it('cuts a unit only where it would take the room of the curves, and says that it is cut', () => {
  expect(fitUnit(measure, 'L/min')).toBe('L/min')
  const cut = fitUnit(measure, 'kg/(m²·s·K·Pa)')
  expect(cut.endsWith('…')).toBe(true)
  expect(axisWidth(measure, ['1'], 'kg/(m²·s·K·Pa)')).toBeGreaterThanOrEqual(measure(cut) + 8)
})
