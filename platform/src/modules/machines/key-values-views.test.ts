import { describe, expect, it } from 'vitest'
import type { KeyValueRow } from './key-values-store.ts'
import { presentKeyValue } from './key-values-views.ts'

const at = Date.UTC(2026, 10, 20, 12)
const row = {
  machine_id: 1,
  tag_id: 2,
  name: 'speed',
  label: {},
  unit: '',
  scale: null,
  type: 'float64',
  quality: 192,
  at: new Date(at),
  num: 7,
  int: null,
  text: null,
  owned_since: null,
} as unknown as KeyValueRow
const heldAs = (quality: 'good' | 'stale', time: number) => ({
  tagId: 2,
  value: 7,
  quality,
  time,
  receivedAt: time,
})

describe('a key value in a list is as stale as everywhere else', () => {
  it('is stale once its device went away, though its machine is online and its value is stored', () => {
    expect(presentKeyValue(row, 'en', true, heldAs('stale', at))).toMatchObject({
      value: 7,
      quality: 'stale',
    })
    expect(presentKeyValue(row, 'en', true, heldAs('good', at))).toMatchObject({ value: 7, quality: 'good' })
  })

  it('comes from its row if no holder has it, and is stale while the machine is away', () => {
    expect(presentKeyValue(row, 'en', true, undefined)).toMatchObject({ quality: 'good' })
    expect(presentKeyValue(row, 'en', false, undefined)).toMatchObject({ quality: 'stale' })
    expect(presentKeyValue(row, 'en', true, heldAs('stale', at - 1))).toMatchObject({ quality: 'good' })
  })
})
