import { describe, expect, test } from 'vitest'
import { type GridPlace, movePlace } from './grid-keys.ts'

const extent = { rows: 100, columns: 5, page: 10 }
const move = (from: GridPlace, key: string, isCtrl = false) => movePlace(from, key, isCtrl, extent)
const nowhere: GridPlace = { row: null, column: -1 }

describe('keys of a grid', () => {
  test.each([
    ['ArrowDown', 0],
    ['ArrowUp', 0],
    ['Home', 0],
    ['End', 99],
    ['PageDown', 9],
  ])('%s leads from nowhere to row %i', (key, row) => {
    expect(move(nowhere, key)).toEqual({ row, column: -1 })
  })

  test('up and down stop at the ends of the rows', () => {
    expect(move({ row: 0, column: -1 }, 'ArrowUp')).toEqual({ row: 0, column: -1 })
    expect(move({ row: 99, column: -1 }, 'ArrowDown')).toEqual({ row: 99, column: -1 })
    expect(move({ row: 95, column: 2 }, 'PageDown')).toEqual({ row: 99, column: 2 })
  })

  test('right walks the cells, left leads back to the row as a whole', () => {
    expect(move({ row: 3, column: -1 }, 'ArrowRight')).toEqual({ row: 3, column: 0 })
    expect(move({ row: 3, column: 4 }, 'ArrowRight')).toEqual({ row: 3, column: 4 })
    expect(move({ row: 3, column: 0 }, 'ArrowLeft')).toEqual({ row: 3, column: -1 })
  })

  test('Home and End are of the row on its cells, and of the rows with Ctrl', () => {
    expect(move({ row: 3, column: 2 }, 'Home')).toEqual({ row: 3, column: 0 })
    expect(move({ row: 3, column: 2 }, 'End')).toEqual({ row: 3, column: 4 })
    expect(move({ row: 3, column: 2 }, 'Home', true)).toEqual({ row: 0, column: 2 })
    expect(move({ row: 3, column: 2 }, 'End', true)).toEqual({ row: 99, column: 2 })
  })

  test('the header is above the cells of the first row, without a stop for the whole row', () => {
    expect(move({ row: 0, column: 2 }, 'ArrowUp')).toEqual({ row: -1, column: 2 })
    expect(move({ row: -1, column: 0 }, 'ArrowLeft')).toEqual({ row: -1, column: 0 })
    expect(move({ row: -1, column: 2 }, 'ArrowDown')).toEqual({ row: 0, column: 2 })
  })

  test('a list without rows has its header only', () => {
    const empty = { ...extent, rows: 0 }
    expect(movePlace(nowhere, 'ArrowDown', false, empty)).toEqual(nowhere)
    expect(movePlace(nowhere, 'ArrowRight', false, empty)).toEqual({ row: -1, column: 0 })
  })

  test('other keys move nothing', () => {
    expect(move(nowhere, 'a')).toBeUndefined()
  })
})
