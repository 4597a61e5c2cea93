import { expect, test } from 'vitest'
import {
  findCitations,
  findHeadings,
  findWrongCitations,
  readCitingFiles,
  readHeadings,
} from './rule-citations.mjs'

const headings = readHeadings()
/** This file cites rules that do not exist. */
const own = 'tools/rule-citations.test.mjs'
const citations = Object.entries(readCitingFiles()).flatMap(([path, text]) =>
  path === own ? [] : findCitations(path, text),
)

test('every cited rule is a heading of docs/rules', () => {
  expect(findWrongCitations(citations, headings)).toEqual([])
})

test('code of the platform and of the console cites rules', () => {
  const count = (/** @type {string} */ folder) =>
    citations.filter(({ path }) => path.startsWith(folder)).length
  expect(count('platform/')).toBeGreaterThan(50)
  expect(count('console/')).toBeGreaterThan(2)
})

test('no page has a heading twice, nor one with a mark that ends a citation', () => {
  for (const [file, names] of headings) {
    expect(new Set(names).size, file).toBe(names.length)
    expect(
      names.filter((name) => /[).;,`"|]/.test(name)),
      file,
    ).toEqual([])
  }
})

test('the index of the rules names every page', () => {
  const index = readCitingFiles()['docs/rules/README.md'] ?? ''
  for (const file of headings.keys()) if (file !== 'README.md') expect(index).toContain(`[${file}](${file})`)
})

test.each([
  ['a heading that does not exist', '// As rules/access.md: visit tyme'],
  ['a page that does not exist', '// As rules/acces.md: visit time'],
  ['a citation without a heading', '/** As rules/access.md: */'],
])('%s is told with its place', (_, comment) => {
  const wrong = findWrongCitations(findCitations('some/file.ts', `const one = 1\n${comment}\n`), headings)
  expect(wrong).toEqual([expect.stringContaining('some/file.ts:2: ')])
})

test('a citation may stand in brackets, within a sentence and across two lines of a comment', () => {
  const known = new Map([['access.md', findHeadings('# Access\n\n## Visit time\n\nText.\n')]])
  const text = [
    '/** A limit (rules/access.md: visit time), and more. */',
    '// See rules/access.md: visit time. More.',
    '// rules/access.md: visit time',
    'const one = 1',
    '/**',
    ' * Long before it: rules/access.md: visit',
    ' * time; more.',
    ' */',
  ].join('\n')
  const found = findCitations('a.ts', text)
  expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 6])
  expect(findWrongCitations(found, known)).toEqual([])
})
