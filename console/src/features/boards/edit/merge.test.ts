import type { Tile } from '@busbar/contract'
import { expect, test } from 'vitest'
import { type Draft, mergeDrafts } from './merge.ts'

const tile = (id: string, text = 'a', more: Partial<Tile> = {}): Tile =>
  ({ id, type: 'text', title: '', x: 0, y: 0, w: 4, h: 2, text, ...more }) as Tile
const draft = (tiles: Tile[], more: Partial<Draft> = {}): Draft => ({
  name: 'Line 1',
  layout: { variable: null, range: { lastMs: 3_600_000 }, tiles },
  ...more,
})
const tilesOf = ({ draft: { layout } }: { draft: Draft }) => layout.tiles

test('changes of different tiles are joined without a question', () => {
  const base = draft([tile('a'), tile('b')])
  const merged = mergeDrafts(
    base,
    draft([tile('a', 'mine'), tile('b'), tile('c')]),
    draft([tile('a'), tile('b', 'theirs'), tile('d')]),
  )
  expect(merged.conflicts).toEqual([])
  expect(tilesOf(merged)).toEqual(
    expect.arrayContaining([tile('a', 'mine'), tile('b', 'theirs'), tile('c'), tile('d')]),
  )
  expect(tilesOf(merged)).toHaveLength(4)
})

test('a move by one person and a change of content by another are both kept', () => {
  const base = draft([tile('a')])
  const merged = mergeDrafts(base, draft([tile('a', 'a', { x: 8 })]), draft([tile('a', 'theirs')]))
  expect(merged.conflicts).toEqual([])
  expect(tilesOf(merged)).toEqual([tile('a', 'theirs', { x: 8 })])
})

test('a conflict on a tile is asked; the own version stays until the answer decides', () => {
  const [base, mine, theirs] = ['a', 'mine', 'theirs'].map((text) => draft([tile('a', text)])) as [
    Draft,
    Draft,
    Draft,
  ]
  const merged = mergeDrafts(base, mine, theirs)
  expect(merged.conflicts).toEqual([{ id: 'a', mine: tile('a', 'mine'), theirs: tile('a', 'theirs') }])
  expect(tilesOf(merged)).toEqual([tile('a', 'mine')])
  expect(tilesOf(mergeDrafts(base, mine, theirs, new Map([['a', 'theirs']])))).toEqual([tile('a', 'theirs')])
})

test('a tile that one deletes and another changes is asked; one that both delete is gone', () => {
  const base = draft([tile('a'), tile('b')])
  const merged = mergeDrafts(base, draft([]), draft([tile('a', 'theirs')]))
  expect(merged.conflicts).toEqual([{ id: 'a', mine: undefined, theirs: tile('a', 'theirs') }])
  expect(tilesOf(merged)).toEqual([])
})

test('a deletion of an unchanged tile, a new name and a new range are taken over', () => {
  const base = draft([tile('a'), tile('b')])
  const theirs = draft([tile('b')], { name: 'Line 2' })
  const mine = { ...base, layout: { ...base.layout, range: { lastMs: 60_000 } } }
  const merged = mergeDrafts(base, mine, theirs)
  expect(merged.draft.name).toBe('Line 2')
  expect(merged.draft.layout).toEqual({ variable: null, range: { lastMs: 60_000 }, tiles: [tile('b')] })
})
