// `npm run durations`: writes down how long each test file took in the last `npm test`, for the order of the next ones.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, stateDir } from './checkout.mjs'

/** Shorter files do not need to be ordered. */
const secondsMin = 3

/** @type {Record<string, number>} */
const durations = {}
for (const name of ['unit', 'browser']) {
  /** @type {{ testResults: { name: string, startTime: number, endTime: number }[] }} */
  const { testResults } = JSON.parse(readFileSync(join(stateDir, 'test', `${name}.json`), 'utf8'))
  for (const file of testResults) {
    const took = Math.round((file.endTime - file.startTime) / 1000)
    if (took >= secondsMin) durations[relative(root, file.name)] = took
  }
}
const sorted = Object.fromEntries(Object.entries(durations).sort(([, a], [, b]) => b - a))
const path = join(root, 'tools', 'test-durations.json')
writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`)
console.log(`${Object.keys(sorted).length} files in ${relative(root, path)}`)
