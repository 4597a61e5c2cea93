import { describe, expect, it } from 'vitest'
import { newRowsPerFrame, rowsOfFrame } from './row-budget.ts'

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => ({ key: `r${from + place}`, index: from + place }))
const indexes = (list: readonly { index: number }[]) => list.map((row) => row.index)

describe('the rows of a frame', () => {
  it('are all of them when few are new', () => {
    const items = rows(0, 25)
    expect(rowsOfFrame(items, new Set(rows(0, 20).map((row) => row.key)), null)).toBe(items)
  })

  it('are the visible ones first after a far jump', () => {
    const seen = { startIndex: 105, endIndex: 119 }
    expect(indexes(rowsOfFrame(rows(100, 125), new Set(), seen))).toEqual(indexes(rows(105, 115)))
  })

  it('become complete frame by frame, without redrawing rows', () => {
    const seen = { startIndex: 105, endIndex: 119 }
    const items = rows(100, 125)
    let standing = new Set<unknown>()
    const sizes: number[] = []
    while (standing.size < items.length) {
      standing = new Set(rowsOfFrame(items, standing, seen).map((row) => row.key))
      sizes.push(standing.size)
    }
    expect(sizes).toEqual([newRowsPerFrame, 2 * newRowsPerFrame, 25])
  })
})
