/*
 * Ranks how well a text matches the typed letters. There are few texts, so each one is compared again with
 * every letter.
 */

/** Lengths of a word from which one, and two, wrong letters are forgiven. */
const oneWrongFrom = 4
const twoWrongFrom = 8

/** Ranks of a typed word in a text, best first. */
const rank = { begins: 0, wordBegins: 1, within: 2, misspelt: 3 } as const

/**
 * The distance between a text and the typed words: 0 if it begins with them, more if words in it begin with
 * them, contain them or are one or two letters away; undefined if a typed word is missing. The order of the
 * typed words does not matter.
 */
export function rankText(typed: string, text: string): number | undefined {
  const wanted = fold(typed)
  const has = fold(text)
  if (wanted === '') return rank.begins
  if (has.startsWith(wanted)) return rank.begins
  const words = has.split(separators).filter(Boolean)
  let worst = 0
  for (const word of wanted.split(separators).filter(Boolean)) {
    const found = rankWord(word, has, words)
    if (found === undefined) return undefined
    worst = Math.max(worst, found)
  }
  // Words in another order rank after the whole text in its own.
  return Math.max(worst, rank.wordBegins)
}

const separators = /[\s\-–_/·.,:;()“”"]+/

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()

function rankWord(word: string, text: string, words: readonly string[]): number | undefined {
  if (words.some((each) => each.startsWith(word))) return rank.wordBegins
  if (text.includes(word)) return rank.within
  // A number matches exactly or not at all.
  if (/\d/.test(word)) return undefined
  const wrongMax = word.length >= twoWrongFrom ? 2 : word.length >= oneWrongFrom ? 1 : 0
  if (wrongMax === 0) return undefined
  const wrong = Math.min(...words.map((each) => distanceToBeginning(word, each)))
  return wrong <= wrongMax ? rank.misspelt + wrong : undefined
}

/** Letters to add, drop, replace or swap until `word` is a beginning of `text`. */
function distanceToBeginning(word: string, text: string): number {
  let before: number[] = []
  let row = Array.from({ length: text.length + 1 }, (_, at) => at)
  for (let i = 1; i <= word.length; i++) {
    const next = [i]
    for (let j = 1; j <= text.length; j++) {
      const same = word[i - 1] === text[j - 1]
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && word[i - 1] === text[j - 2] && word[i - 2] === text[j - 1]
      if (isSwapped) least = Math.min(least, at(before, j - 2) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return Math.min(...row)
}

const at = (row: readonly number[], place: number): number => row[place] ?? Number.POSITIVE_INFINITY
