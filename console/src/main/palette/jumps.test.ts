import { describe, expect, it } from 'vitest'
import { findJumps, type Jump } from './jumps.ts'

const pages: Jump[] = [{ kind: 'page', key: '/safety', icon: 'shield', label: 'Security', path: '/safety' }]
const list = [
  { id: 1, name: 'Old press', code: '1000000000000000001', remark: '' },
  { id: 2, name: 'Press 4', code: '1000000000000000002', remark: 'hall B' },
]
const labels = (typed: string) => findJumps(typed, pages, list).map(({ label }) => label)

describe('what the palette finds', () => {
  it('shows pages first while nothing is typed', () => {
    expect(labels('')).toEqual(['Security', 'Old press', 'Press 4'])
  })

  it('puts names that begin with it first', () => {
    expect(labels('press')).toEqual(['Press 4', 'Old press'])
  })

  it('finds by part of a code, by remark, and by words in any order', () => {
    expect(labels('0002')).toEqual(['Press 4'])
    expect(labels('hall press')).toEqual(['Press 4'])
    expect(labels('secu')).toEqual(['Security'])
    expect(labels('nothing')).toEqual([])
  })
})
