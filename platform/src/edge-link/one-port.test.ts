import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '..')
/** Newest values in memory, and the file of the local form of the port. */
const memoryOfValues = /\b(LatestValues|peekLatest|listLatestOfEach)\b|(?<!contract)\.listLatest\(/
const valuesAreHeldBy = [
  'edge-link/local-edge-link.ts',
  // Rules are evaluated by the process that holds the machine.
  'modules/alarm-rules/rule-engine.ts',
  'modules/telemetry/index.ts',
  'modules/telemetry/telemetry.ts',
]

// Imports of the edge and of its link are checked by tools/import-rules.mjs.
test('only the edge link reads newest values in memory', () => {
  const readers = globSync('**/*.ts', { cwd: src })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => memoryOfValues.test(readFileSync(path.join(src, file), 'utf8')))
  expect(readers.sort()).toEqual(valuesAreHeldBy)
})
