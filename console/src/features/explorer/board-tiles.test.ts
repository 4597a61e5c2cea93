import type { BoardLayout } from '@busbar/contract'
import { expect, it } from 'vitest'
import type { Variable } from '../../entities/history/variables.ts'
import { addTiles } from './board-tiles.ts'

const tag = (name: string, type: 'float64' | 'bool'): Variable => ({
  ...{ tagId: 1, tag: name, name, type, group: 'Shown', wireGroup: 'wire', unit: '', scale: null },
  ...{ readOnly: true, min: null, max: null, lastAt: null, machineId: 9, latest: null },
})

const text = { id: 'a', type: 'text', title: '', text: '', x: 0, y: 0, w: 6, h: 3 } as const
const layout: BoardLayout = { variable: null, range: { lastMs: 60_000 }, tiles: [text] }

it('puts numbers as curves and states as strips below the tiles of a board, under the device’s names', () => {
  const { tiles } = addTiles(layout, [tag('on', 'bool'), tag('temp', 'float64')])
  expect(tiles).toEqual([
    text,
    expect.objectContaining({ type: 'trend', y: 3, tags: [{ machine: 9, group: 'wire', tag: 'temp' }] }),
    expect.objectContaining({ type: 'strip', y: 12, tags: [{ machine: 9, group: 'wire', tag: 'on' }] }),
  ])
})

it('makes as many strips as the states need', () => {
  const states = Array.from({ length: 13 }, (_, place) => tag(`s${place}`, 'bool'))
  expect(addTiles(layout, states).tiles.map(({ type }) => type)).toEqual(['text', 'strip', 'strip'])
})
