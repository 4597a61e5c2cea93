import { describe, expect, test } from 'vitest'
import {
  findProseProblems,
  proseRules,
  readComments,
  readMarkdown,
  readProse,
  readTestTitles,
} from './prose-rules.mjs'

const prose = readProse()

test.each(prose)('comments, test titles and documents follow the rules: $name', ({ files }) => {
  const problems = files.flatMap(({ path, sentences }) =>
    sentences.flatMap(({ line, text }) =>
      findProseProblems(text).map((problem) => `${path}:${line}: ${problem}`),
    ),
  )
  expect(problems).toEqual([])
})

test('the sentences are read', () => {
  expect(prose.flatMap(({ files }) => files).flatMap(({ sentences }) => sentences).length).toBeGreaterThan(
    8_000,
  )
})

describe('a sentence that breaks a rule is found', () => {
  test.each(proseRules)('$example', ({ example, use }) => {
    expect(findProseProblems(example).filter((problem) => problem.endsWith(`: use ${use}`))).toHaveLength(1)
  })
})

test.each([
  'What does a visitor see?',
  'There is no session.',
  'It is no longer valid.',
  'A delay of 2 s is no more than a beat.',
  'The reasons are in `docs/decisions/0039-modules.md`.',
])('a plain sentence passes: %s', (sentence) => {
  expect(findProseProblems(sentence)).toEqual([])
})

test('comments of every form are read, with their lines and without code', () => {
  const source = [
    '/**',
    ' * First sentence, on',
    ' * two lines. Second one.',
    ' * @param {string} name Third one.',
    ' */',
    "const url = 'https://example.test' // Fourth one.",
    '  {/* Fifth one. */}',
    '// Sixth one,',
    '// also on two lines; with `// code`.',
    '/* Seventh one,',
    '   of a style sheet. */',
  ].join('\n')
  expect(readComments(source)).toEqual([
    { line: 2, text: 'First sentence, on two lines.' },
    { line: 2, text: 'Second one.' },
    { line: 4, text: 'Third one.' },
    { line: 6, text: 'Fourth one.' },
    { line: 7, text: 'Fifth one.' },
    { line: 8, text: 'Sixth one, also on two lines; with `…`.' },
    { line: 10, text: 'Seventh one, of a style sheet.' },
  ])
})

test('titles of tests and of tables of tests are read', () => {
  const source = "test('one', () => {})\ndescribe.each(looks(2))(`two $lang`, () => {\n  it('three', run)\n})"
  expect(readTestTitles(source)).toEqual([
    { line: 1, text: 'One' },
    { line: 2, text: 'Two $lang' },
    { line: 3, text: 'Three' },
  ])
})

test('paragraphs, lists and tables of a document are read, without headings and code', () => {
  const document =
    '# Heading\n\nOne [link](x.md). Two.\n\n- Three\n\n```\ncode\n```\n\n| a | four words |\n| - | - |'
  expect(readMarkdown(document)).toEqual([
    { line: 3, text: 'One link.' },
    { line: 3, text: 'Two.' },
    { line: 5, text: 'Three' },
    { line: 11, text: 'four words' },
  ])
})
