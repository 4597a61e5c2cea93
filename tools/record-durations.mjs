// `npm run durations`: writes down how long each test file took in the last `npm test`, for the order of the next ones.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, stateDir } from './checkout.mjs'

/** Shorter files do not need to be ordered. */
const secondsMin = 3

const path = join(root, 'tools', 'test-durations.json')

/**
 * Files that did not take their turn in the last run keep what they took before.
 * @type {Record<string, number>}
 */
const durations = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(path, 'utf8'))).filter(([file]) => existsSync(join(root, file))),
)
for (const suites of ['unit', 'browser']) {
  /** @type {{ testResults: { name: string, startTime: number, endTime: number }[] }} */
  const { testResults } = JSON.parse(readFileSync(join(stateDir, 'test', `${suites}.json`), 'utf8'))
  for (const file of testResults) {
    const took = Math.round((file.endTime - file.startTime) / 1000)
    const name = relative(root, file.name)
    if (took >= secondsMin) durations[name] = took
    else delete durations[name]
  }
}
const sorted = Object.fromEntries(Object.entries(durations).sort(([, a], [, b]) => b - a))
writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
console.log(`${Object.keys(sorted).length} files in ${relative(root, path)}`)
