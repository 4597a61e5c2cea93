import { expect, it } from 'vitest'
import { cornerOf, moved, pictureSize, pointAt, wholePlan, zoomed } from './plan-scale.ts'

const view = { width: 800, height: 400 }
const aspect = 1.5

it('shows all of the picture at first, in the middle', () => {
  expect(pictureSize(view, aspect, 1)).toEqual({ width: 600, height: 400 })
  expect(cornerOf(view, aspect, wholePlan)).toEqual({ x: 100, y: 0 })
  expect(pointAt(view, aspect, wholePlan, { x: 100, y: 400 })).toEqual({ x: 0, y: 1 })
})

it('keeps the point under the pointer in place while it zooms', () => {
  const at = { x: 350, y: 150 }
  let sight = wholePlan
  const before = pointAt(view, aspect, sight, at)
  for (const factor of [2, 1.5, 1 / 1.5]) {
    sight = zoomed(view, aspect, sight, factor, at)
    const { x, y } = pointAt(view, aspect, sight, at)
    expect(x).toBeCloseTo(before.x)
    expect(y).toBeCloseTo(before.y)
  }
  expect(zoomed(view, aspect, sight, 0.1, at)).toEqual(wholePlan)
  expect(zoomed(view, aspect, sight, 1e9, at).zoom).toBe(12)
})

it('moves the picture with the pointer, and never out of sight', () => {
  const sight = zoomed(view, aspect, wholePlan, 2, { x: 400, y: 200 })
  const next = moved(view, aspect, sight, { x: 60, y: -40 })
  const [before, after] = [cornerOf(view, aspect, sight), cornerOf(view, aspect, next)]
  expect(after.x - before.x).toBeCloseTo(60)
  expect(after.y - before.y).toBeCloseTo(-40)
  expect(moved(view, aspect, sight, { x: -1e6, y: 1e6 })).toMatchObject({ x: 1, y: 0 })
})
