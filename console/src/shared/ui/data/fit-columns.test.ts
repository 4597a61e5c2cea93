import { describe, expect, it } from 'vitest'
import { columnTemplate, fitColumns } from './fit-columns.ts'

const columns = [
  { id: 'name', widthMin: 200, grow: 2, rank: 0 },
  { id: 'model', widthMin: 100, rank: 3 },
  { id: 'value', widthMin: 100, grow: 1, rank: 1 },
  { id: 'spark', widthMin: 80, rank: 2 },
]
const ids = (width: number) => fitColumns(columns, width).map((column) => column.id)

describe('the columns of a grid', () => {
  it('are all there where they fit to the pixel', () => {
    expect(ids(480)).toEqual(['name', 'model', 'value', 'spark'])
  })

  it('leave by rank, the highest first, and keep their order', () => {
    expect(ids(479)).toEqual(['name', 'value', 'spark'])
    expect(ids(300)).toEqual(['name', 'value'])
  })

  it('always stay if they identify the row', () => {
    expect(ids(50)).toEqual(['name'])
  })

  it('share the remaining width', () => {
    expect(columnTemplate(columns)).toBe('minmax(200px, 2fr) 100px minmax(100px, 1fr) 80px')
  })
})
