import { applications } from '@busbar/contract'
import { expect, it } from 'vitest'
import { judgeOutcome } from './answer-outcome.ts'

const { waiting, waitsForBkey, waitsForAkey, refusedByAkey, refusedByBkey, passed, over } =
  applications.auditStates

it('does not claim an answer that another key gave first', () => {
  expect([refusedByAkey, refusedByBkey, over, waiting].map((state) => judgeOutcome(true, state))).toEqual([
    'other',
    'other',
    'other',
    'other',
  ])
  expect([passed, waitsForAkey, waitsForBkey, over].map((state) => judgeOutcome(false, state))).toEqual([
    'other',
    'other',
    'other',
    'other',
  ])
})

it('tells one key of two from both', () => {
  expect(judgeOutcome(true, passed)).toBe('passed')
  expect(judgeOutcome(true, waitsForBkey)).toBe('further')
  expect(judgeOutcome(true, waitsForAkey)).toBe('further')
  expect(judgeOutcome(false, refusedByBkey)).toBe('refused')
})
