import { describe, expect, test } from 'vitest'
import {
  chineseRules,
  englishRules,
  findProtocolWords,
  findWordProblems,
  protocolRules,
  readDescriptions,
  readTextSources,
  readTexts,
} from './word-rules.mjs'

test.each(readTextSources())('$path has only words and sentences that the rules allow', ({ texts }) => {
  expect(texts.flatMap(findWordProblems)).toEqual([])
})

test.each(readTextSources())(
  '$path tells people what happened, without words of protocols',
  ({ path, texts }) => {
    expect(texts.flatMap((text) => findProtocolWords(text, path))).toEqual([])
  },
)

test('the texts are there to be read', () => {
  expect(readTextSources().flatMap(({ texts }) => texts).length).toBeGreaterThan(3_000)
})

describe('a text that breaks a rule is found', () => {
  test.each([...englishRules, ...chineseRules])('$example', ({ pattern, example }) => {
    expect(example).toMatch(pattern)
    expect(findWordProblems(example)).not.toEqual([])
  })

  test.each(protocolRules)('$example, except where it is the subject', ({ example, subjectOf }) => {
    const problemsIn = (/** @type {string} */ file) =>
      findProtocolWords(example, `console/src/shared/i18n/en/${file}.ts`)
    expect(problemsIn('app')).not.toEqual([])
    expect(subjectOf.flatMap(problemsIn)).toEqual([])
  })
})

test('every literal of a source is read, but keys, comments and imports are not', () => {
  const source = [
    "import { it } from './machines.ts'",
    '// A terminal',
    'export const words = {',
    "  'a.machine': 'One',",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source that is read has the template.
    "  two: (n) => `${n} of ${n === 1 ? 'a' : `${n} b`} it\\'s`,",
    '}',
  ].join('\n')
  expect(readTexts(source)).toEqual(['One', 'a', '{} b', "{} of {} it's"])
})

test('the description of a field is read, wherever its line breaks', () => {
  const source = 'a: z.int().describe(\'One\'),\n b: z\n  .string()\n  .describe(\n    "Two",\n  ),'
  expect(readDescriptions(source)).toEqual(['One', 'Two'])
})
