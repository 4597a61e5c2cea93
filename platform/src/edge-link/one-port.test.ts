import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '..')
/** Puts the parts together. */
const compositionRoot = 'platform.ts'
/** Limits that texts and settings name. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'config.ts': ['edge/limits.ts'],
  'operations-text.ts': ['edge/limits.ts'],
}
/** Newest values in memory, and the file of the local form of the port. */
const memoryOfValues = /\b(LatestValues|peekLatest|listLatestOfEach)\b|(?<!contract)\.listLatest\(/
const valuesAreHeldBy = [
  'edge-link/local-edge-link.ts',
  'modules/telemetry/index.ts',
  'modules/telemetry/telemetry.ts',
]

const files = globSync('**/*.ts', { cwd: src })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(src, file), 'utf8') }))

/** The files that one imports or re-exports, types included, as paths below src. */
function importsOf(file: string, text: string): string[] {
  const named = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)
  return Array.from(named, ([, name = '']) => path.posix.join(path.posix.dirname(file), name))
}

const isInside = (file: string) => file.startsWith('edge/') || file.startsWith('edge-link/')

test('the gateway, presence and the tunnels are reached by the edge link alone', () => {
  const reached = files
    .filter(({ file }) => !isInside(file) && file !== compositionRoot)
    .map(({ file, text }) => [
      file,
      importsOf(file, text)
        .filter((name) => name.startsWith('edge/'))
        .sort(),
    ])
    .filter(([, names = []]) => names.length > 0)
  expect(Object.fromEntries(reached)).toEqual(allowed)
})

test('only the composition root knows which form of the link there is', () => {
  const knows = files
    .filter(({ file, text }) => importsOf(file, text).includes('edge-link/local-edge-link.ts'))
    .map(({ file }) => file)
  expect(knows).toEqual([compositionRoot])
})

test('newest values in memory are read by the edge link alone', () => {
  const readers = files.filter(({ text }) => memoryOfValues.test(text)).map(({ file }) => file)
  expect(readers.sort()).toEqual(valuesAreHeldBy)
})
