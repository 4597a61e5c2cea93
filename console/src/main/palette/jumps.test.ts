import { describe, expect, it } from 'vitest'
import { findJumps, type Jump } from './jumps.ts'

const pages: Jump[] = [
  { kind: 'page', key: '/safety', icon: 'shield', label: 'Safety centre', path: '/safety' },
]
const list = [
  { machine_id: 1, machine_name: 'Old press', machine_code: '1000000000000000001', machine_remark: '' },
  { machine_id: 2, machine_name: 'Press 4', machine_code: '1000000000000000002', machine_remark: 'hall B' },
]
const labels = (typed: string) => findJumps(typed, pages, list).map(({ label }) => label)

describe('what the palette finds', () => {
  it('shows pages first while nothing is typed', () => {
    expect(labels('')).toEqual(['Safety centre', 'Old press', 'Press 4'])
  })

  it('puts names that begin with it first', () => {
    expect(labels('press')).toEqual(['Press 4', 'Old press'])
  })

  it('finds by part of a code, by remark, and by words in any order', () => {
    expect(labels('0002')).toEqual(['Press 4'])
    expect(labels('hall press')).toEqual(['Press 4'])
    expect(labels('safe')).toEqual(['Safety centre'])
    expect(labels('nothing')).toEqual([])
  })
})
