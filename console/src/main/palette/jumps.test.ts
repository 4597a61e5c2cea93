import { describe, expect, it } from 'vitest'
import { findJumps, type Jump, type JumpKind } from './jumps.ts'

const jump = (kind: JumpKind, label: string, more: Partial<Jump> = {}): Jump => ({
  ...{ kind, key: `${kind} ${label}`, icon: 'devices', label, run: () => undefined },
  ...more,
})

const jumps = [
  jump('page', 'Safety centre', { isUsual: true }),
  jump('page', 'Administration · Members', { note: 'Foundry North', words: 'enterprise' }),
  jump('machine', 'Old press', { isUsual: true, note: '1000000000000000001' }),
  jump('machine', 'Press 4', { isUsual: true, note: '1000000000000000002', words: 'hall B' }),
  jump('action', 'Dark theme'),
  jump('action', 'Sign out'),
]
const labels = (typed: string) => findJumps(typed, jumps).map(({ label }) => label)

describe('the results of the palette', () => {
  it('shows only the usual pages while the field is empty', () => {
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

  it('finds pages of another space, actions, and misspelt names', () => {
    expect(labels('enterprise')).toEqual(['Administration · Members'])
    expect(labels('administration')).toEqual(['Administration · Members'])
    expect(labels('dark')).toEqual(['Dark theme'])
    expect(labels('safty')).toEqual(['Safety centre'])
    expect(labels('sing out')).toEqual(['Sign out'])
  })
})
