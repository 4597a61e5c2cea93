import { expect, test } from 'vitest'
import type { Draft } from './merge.ts'
import { step } from './use-draft-steps.ts'

const draft = (name: string): Draft => ({
  name,
  layout: { variable: null, range: { lastMs: 60_000 }, tiles: [] },
})
const first = { past: [], now: draft('a'), future: [] }

test('steps go back and forth, and a new one ends the way forth', () => {
  const changed = step(step(first, { kind: 'change', to: draft('b') }), { kind: 'change', to: draft('c') })
  const back = step(changed, { kind: 'undo' })
  expect(back.now.name).toBe('b')
  expect(step(back, { kind: 'redo' }).now.name).toBe('c')
  const other = step(back, { kind: 'change', to: draft('d') })
  expect(step(other, { kind: 'redo' })).toEqual(other)
  expect(step(first, { kind: 'undo' })).toEqual(first)
})

test('undo keeps changes that another person saved', () => {
  const changed = step(first, { kind: 'change', to: draft('b') })
  const rebased = step(changed, {
    kind: 'rebase',
    with: ({ layout, name }) => ({ layout, name: `${name}!` }),
  })
  expect(rebased.now.name).toBe('b!')
  expect(step(rebased, { kind: 'undo' }).now.name).toBe('a!')
})
