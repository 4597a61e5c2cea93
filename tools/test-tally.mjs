// Counts the results in Vitest's JSON report.
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, skipped: number, failures: string[] }} Tally
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} ReportedTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: ReportedTest[] }} ReportedFile
 */

/** Enough to know a failure by where only the end of the output is shown. */
const reasonMax = 300

/** @returns {Tally} */
export const emptyTally = () => ({ passed: 0, skipped: 0, failures: [] })

/**
 * The failed test, and below it the reason: its message in one line, without the stack.
 * @param {string} what
 * @param {string | undefined} message
 */
function describeFailure(what, message) {
  const [said = ''] = stripVTControlCharacters(message ?? '').split(/\n\s+at /)
  const reason = said.replaceAll(/\s+/g, ' ').trim().slice(0, reasonMax)
  return reason === '' ? what : `${what}\n    ${reason}`
}

/**
 * @param {string} name of the run
 * @param {number} code Vitest's exit code
 * @param {string | undefined} report its JSON; undefined where it wrote none
 * @returns {Tally}
 */
export function tallyReport(name, code, report) {
  if (report === undefined)
    return { ...emptyTally(), failures: [`${name}: Vitest ended with code ${code} and without a report`] }
  const tally = emptyTally()
  /** @type {{ testResults: ReportedFile[] }} */
  const { testResults } = JSON.parse(report)
  for (const file of testResults) {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    for (const { fullName, failureMessages } of failed)
      tally.failures.push(describeFailure(`${file.name}: ${fullName}`, failureMessages?.[0]))
    // A file that does not load, or whose preparation fails, contains no test that could report it.
    if (failed.length === 0 && file.status === 'failed')
      tally.failures.push(describeFailure(file.name, file.message))
    for (const { status } of file.assertionResults) {
      if (status === 'passed') tally.passed += 1
      else if (status !== 'failed') tally.skipped += 1
    }
  }
  if (code !== 0 && tally.failures.length === 0) {
    tally.failures.push(`${name}: Vitest ended with code ${code} (an error outside any test?)`)
  }
  return tally
}
