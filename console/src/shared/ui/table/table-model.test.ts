import { ApiError } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { updatePreferences } from '../../session/preferences.ts'
import { placeColumns } from '../data/grid-columns.ts'
import type { CellValue } from './cell-value.ts'
import { actionsColumn, compareValues, nextSort, type TableColumn } from './column.ts'
import { gridColumns } from './grid-columns.tsx'
import { selectedPart, toggleAll, toggleKey } from './selection.ts'
import { noSettings } from './settings.ts'
import { formatRows } from './table-csv.ts'
import { isWhole, pagedList, wholeList } from './table-source.ts'
import { sortRows } from './use-rows.ts'

interface Person {
  readonly name: string
  readonly machines: number
}

const columns: readonly TableColumn<Person>[] = [
  { id: 'name', title: 'Name', width: 160, grow: 2, rank: 0, value: ({ name }) => name },
  { id: 'machines', title: 'Devices', width: 80, rank: 3, value: ({ machines }) => machines },
  { id: 'note', title: 'Note', width: 200, rank: 5, csv: false, cell: () => null },
  actionsColumn('Actions', 120, () => null),
]

describe('the order of values', () => {
  const sorted = (values: CellValue[]) => values.toSorted((a, b) => compareValues(a, b, 'en'))

  test('reads numbers within texts, and has empty values last', () => {
    expect(sorted(['Lathe 10', null, 'Lathe 2', ''])).toEqual(['Lathe 2', 'Lathe 10', null, ''])
    expect(sorted([10, 9, 0])).toEqual([0, 9, 10])
  })

  test('empty values stay last where the order is reversed, and equal ones keep their own order', () => {
    const rows = ['b', '', 'a', 'c'].map((name, place) => ({ name, machines: place % 2 }))
    const names = (columnId: string, isDescending: boolean) =>
      sortRows(rows, columns, { columnId, isDescending }, 'en').map(({ name }) => name)
    expect(names('name', false)).toEqual(['a', 'b', 'c', ''])
    expect(names('name', true)).toEqual(['c', 'b', 'a', ''])
    expect(names('machines', true)).toEqual(['', 'c', 'b', 'a'])
    expect(sortRows(rows, columns, { columnId: 'note', isDescending: false }, 'en')).toBe(rows)
  })

  test('a header leads to ascending, descending, and back to the list’s own', () => {
    const first = nextSort(null, 'name')
    const second = nextSort(first, 'name')
    expect([first, second, nextSort(second, 'name')]).toEqual([
      { columnId: 'name', isDescending: false },
      { columnId: 'name', isDescending: true },
      null,
    ])
    expect(nextSort(second, 'machines')).toEqual({ columnId: 'machines', isDescending: false })
  })
})

describe('the columns of a grid', () => {
  const options = { columns, settings: noSettings, isSortable: () => true }
  const idsAt = (width: number) => placeColumns(gridColumns(options), width).map(({ id }) => id)

  test('the actions never leave, however narrow it is', () => {
    expect(idsAt(1_000)).toEqual(['name', 'machines', 'note', 'actions'])
    expect(idsAt(400)).toEqual(['name', 'machines', 'actions'])
    expect(idsAt(100)).toEqual(['name', 'actions'])
  })

  test('stay at their edge only where the grid scrolls sideways', () => {
    const edges = (width: number) =>
      placeColumns(gridColumns(options), width).map(({ sticky, offset }) => [sticky, offset])
    expect(edges(280)).toEqual([
      [undefined, 0],
      [undefined, 0],
    ])
    expect(edges(200)).toEqual([
      [undefined, 0],
      ['end', 0],
    ])
  })

  test('that a person shows stays longer than a default one', () => {
    const settings = { ...noSettings, shown: { note: true } }
    const drawn = placeColumns(gridColumns({ ...options, settings }), 490)
    expect(drawn.map(({ id }) => id)).toEqual(['name', 'note', 'actions'])
  })

  test('a width that a person chose is kept, and no longer grows', () => {
    const [name] = gridColumns({ ...options, settings: { ...noSettings, widths: { name: 300 } } })
    expect(name).toMatchObject({ widthMin: 300 })
    expect(name?.grow).toBeUndefined()
  })

  test('a column knows its place among all of them where others left', () => {
    expect(placeColumns(gridColumns(options), 100).map(({ index }) => index)).toEqual([0, 3])
  })

  test('only columns with a value are sorted, in a list of pages only those that the platform sorts', () => {
    const sortable = (isSortable: (column: TableColumn<Person>) => boolean) =>
      gridColumns({ ...options, isSortable }).flatMap(({ id, sortable }) => (sortable ? [id] : []))
    expect(sortable(() => true)).toEqual(['name', 'machines'])
    expect(sortable(({ sort }) => sort === 'platform')).toEqual([])
  })
})

describe('selected rows', () => {
  const order = [1, 2, 3, 4, 5]

  test('a press with Shift takes all rows since the press before', () => {
    expect([...toggleKey(new Set([2]), order, 4, 2, true)]).toEqual([2, 3, 4])
    expect([...toggleKey(new Set([2, 3, 4]), order, 2, 4, true)]).toEqual([])
  })

  test('all selects the rows shown; again, none of them, and leaves what a search hides', () => {
    const all = toggleAll(new Set([9]), order)
    expect([...all]).toEqual([9, ...order])
    expect([...toggleAll(all, order)]).toEqual([9])
    expect([new Set<number>(), new Set([1]), all].map((selected) => selectedPart(selected, order))).toEqual([
      'none',
      'some',
      'all',
    ])
  })
})

test('an exported list has its columns, without those of no file, and no formula', () => {
  const text = formatRows(columns, [{ name: '=1+1', machines: 3 }])
  expect(text).toBe("\uFEFFName,Devices\r\n'=1+1,3\r\n")
  updatePreferences({ csv: { delimiter: 'semicolon', decimal: 'comma' } })
  const own = formatRows(columns, [{ name: 'a', machines: 1.5 }])
  updatePreferences({ csv: {} })
  expect(own).toBe('\uFEFFName;Devices\r\na;1,5\r\n')
})

describe('a source', () => {
  const query = { error: null, isError: false, isFetching: false, refetch: async () => ({}) as never }
  const page = (total: number, number = 1) => ({ list: [1, 2], total, page: number, pageSize: 2 })

  test('of pages is complete only if one page contains all', () => {
    expect(isWhole(pagedList({ ...query, data: page(2) }))).toBe(true)
    expect(isWhole(pagedList({ ...query, data: page(3) }))).toBe(false)
    expect(isWhole(pagedList({ ...query, data: page(3, 2) }))).toBe(false)
    expect(isWhole(wholeList({ ...query, data: [1] }))).toBe(true)
  })

  test('failed only if it has no rows to show', () => {
    expect(wholeList({ ...query, isError: true, data: undefined }).isFailed).toBe(true)
    expect(wholeList({ ...query, isError: true, data: [1] }).isFailed).toBe(false)
  })

  test('refused says so, without an offer to try again', () => {
    const refused = {
      ...query,
      error: new ApiError({ http: 403, hwcode: 403, code: '403', message: 'refused' }),
    }
    expect(wholeList({ ...refused, isError: true, data: undefined }).isRefused).toBe(true)
    expect(wholeList({ ...query, data: [1] }).isRefused).toBe(false)
  })
})
