import { describe, expect, it } from 'vitest'
import { rankText } from './fuzzy.ts'

const ranks = (typed: string, texts: readonly string[]) =>
  texts
    .map((text) => ({ text, rank: rankText(typed, text) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ text }) => text)

describe('the match of typed words', () => {
  it('forgives a letter that is missing, wrong, added or swapped', () => {
    for (const typed of ['safty', 'sefety', 'saffety', 'saftey'])
      expect(rankText(typed, 'Safety centre'), typed).toBeDefined()
    expect(rankText('adminstraton', 'Enterprise · Administration')).toBeDefined()
  })

  it('forgives nothing in short words and in numbers, where another letter is another thing', () => {
    expect(rankText('cnc', 'CMC 3')).toBeUndefined()
    expect(rankText('lathe 11', 'Lathe 12')).toBeUndefined()
    expect(rankText('30208829', '3020882851040806')).toBeUndefined()
  })

  it('ranks texts that begin with the words first, then those that contain them, then misspelt ones', () => {
    expect(ranks('press', ['Old impress', 'Prses 4', 'Big press', 'Press 4'])).toEqual([
      'Press 4',
      'Big press',
      'Old impress',
      'Prses 4',
    ])
  })

  it('takes words in any order, letters with marks, and Chinese', () => {
    expect(rankText('hall press', 'Press 4 hall B')).toBeDefined()
    expect(rankText('presse', 'Pressé 4')).toBeDefined()
    expect(rankText('车床', '数控车床 11')).toBeDefined()
    expect(rankText('nothing', 'Safety centre')).toBeUndefined()
  })
})
