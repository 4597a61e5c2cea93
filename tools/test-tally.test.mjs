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

test('a file that does not load is a failure', () => {
  const file = { name: 'x.test.ts', status: 'failed', assertionResults: [] }
  expect(tallyReport('unit', 1, report(file)).failures).toEqual(['x.test.ts'])
})

test('an error outside any test is a failure', () => {
  const file = { name: 'x.test.ts', status: 'passed', assertionResults: [passed] }
  expect(tallyReport('unit', 1, report(file)).failures).toHaveLength(1)
})

test('no report is a failure', () => {
  expect(tallyReport('unit', 137, undefined).failures).toHaveLength(1)
})
