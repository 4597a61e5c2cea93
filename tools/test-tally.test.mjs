import { expect, test } from 'vitest'
import { tallyReport } from './test-tally.mjs'

/** @param {import('./test-tally.mjs').ReportedFile[]} testResults */
const report = (...testResults) => JSON.stringify({ testResults })
const passed = { status: 'passed', fullName: 'a' }
const failed = { status: 'failed', fullName: 'b' }
const skipped = { status: 'pending', fullName: 'c' }

test('passed, failed and skipped tests are counted', () => {
  const file = { name: 'x.test.ts', status: 'failed', assertionResults: [passed, failed, skipped] }
  expect(tallyReport('unit', 1, report(file))).toEqual({ passed: 1, skipped: 1, failures: ['x.test.ts: b'] })
})

test('a failure says why in one line of at most 300 characters', () => {
  const message = `\u001b[31mAssertionError:\u001b[39m expected [ 'a' ]\n\n  to equal []\n    at /x.test.ts:3:1\n    at y`
  const long = { ...failed, fullName: 'c', failureMessages: ['é'.repeat(400)] }
  const assertionResults = [{ ...failed, failureMessages: [message, 'again'] }, long]
  const file = { name: 'x.test.ts', status: 'failed', assertionResults }
  expect(tallyReport('unit', 1, report(file)).failures).toEqual([
    "x.test.ts: b\n    AssertionError: expected [ 'a' ] to equal []",
    `x.test.ts: c\n    ${'é'.repeat(300)}`,
  ])
})

test('a file that does not load is a failure, and says why', () => {
  const file = {
    name: 'x.test.ts',
    status: 'failed',
    message: 'no such module\n    at z',
    assertionResults: [],
  }
  expect(tallyReport('unit', 1, report(file)).failures).toEqual(['x.test.ts\n    no such module'])
})

test('an error outside any test is a failure', () => {
  const file = { name: 'x.test.ts', status: 'passed', assertionResults: [passed] }
  expect(tallyReport('unit', 1, report(file)).failures).toHaveLength(1)
})

test('no report is a failure', () => {
  expect(tallyReport('unit', 137, undefined).failures).toHaveLength(1)
})
