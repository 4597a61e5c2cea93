// Counts the results in Vitest's JSON report.

/**
 * @typedef {{ passed: number, skipped: number, failures: string[] }} Tally
 * @typedef {{ status: string, fullName: string }} ReportedTest
 * @typedef {{ name: string, status: string, assertionResults: ReportedTest[] }} ReportedFile
 */

/** @returns {Tally} */
export const emptyTally = () => ({ passed: 0, skipped: 0, failures: [] })

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
    tally.failures.push(...failed.map(({ fullName }) => `${file.name}: ${fullName}`))
    // A file that does not load, or whose preparation fails, contains no test that could report it.
    if (failed.length === 0 && file.status === 'failed') tally.failures.push(file.name)
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
