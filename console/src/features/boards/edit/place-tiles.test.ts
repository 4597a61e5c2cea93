import { expect, test } from 'vitest'
import { findPlace, nudge, putTile } from './place-tiles.ts'

const at = (id: string, x: number, y: number, w = 4, h = 2) => ({ id, x, y, w, h })

test('a new tile takes the first free place, else a new row', () => {
  expect(findPlace([], { w: 4, h: 2 })).toEqual({ x: 0, y: 0, w: 4, h: 2 })
  expect(findPlace([at('a', 0, 0)], { w: 4, h: 2 })).toMatchObject({ x: 4, y: 0 })
  expect(findPlace([at('a', 0, 0, 24)], { w: 4, h: 2 })).toMatchObject({ x: 0, y: 2 })
})

test('keys move and resize a tile within the board only', () => {
  expect(nudge(at('a', 0, 0), { x: -1, y: -1 })).toMatchObject({ x: 0, y: 0 })
  expect(nudge(at('a', 20, 0), { x: 1 })).toMatchObject({ x: 20 })
  expect(nudge(at('a', 20, 0), { w: 1 })).toMatchObject({ x: 20, w: 4 })
  expect(nudge(at('a', 0, 0, 1, 1), { w: -1, h: -1 })).toMatchObject({ w: 1, h: 1 })
})

test('tiles in the way give way downwards, one after the other, and none lies over another', () => {
  const moved = putTile([at('a', 0, 0), at('b', 4, 0), at('c', 4, 2)], 'a', { x: 3, y: 0, w: 4, h: 2 })
  expect(moved).toEqual([at('a', 3, 0), at('b', 4, 2), at('c', 4, 4)])
})
