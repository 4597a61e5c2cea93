/** Shorter words are searched exactly: with one letter changed, too many of them would match. */
const forgivenLengthMin = 4

/** A text in the form that is compared: small letters without accents, one space for every separator. */
export function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('\u2212', '-')
    .replace(/[\s_/·,.;:()[\]]+/g, ' ')
    .trim()
}

/**
 * How well a text matches a query: every word has to occur in it, in any order, and a word of four letters or
 * more may have one letter wrong, too many, missing or swapped with its neighbour.
 * @returns 0 for no fit; 3 where it begins with the query, 2 where all its words occur, 1 where an error was forgiven
 */
export function rankMatch(text: string, query: string): 0 | 1 | 2 | 3 {
  const wanted = normalize(query)
  if (wanted === '') return 2
  const normal = normalize(text)
  if (normal.startsWith(wanted)) return 3
  const words = normal.split(' ')
  let rank: 1 | 2 = 2
  for (const word of wanted.split(' ')) {
    if (normal.includes(word)) continue
    if (word.length < forgivenLengthMin || !words.some((other) => isNear(word, other))) return 0
    rank = 1
  }
  return rank
}

/** The matches, the best first; equal ones in the order given. */
export function findForgiving<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): readonly T[] {
  if (normalize(query) === '') return items
  const ranked = items.map((item) => ({ item, rank: rankMatch(textOf(item), query) }))
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ item }) => item)
}

/** Whether a typed word is a word, or its beginning, but for one error. */
function isNear(typed: string, word: string): boolean {
  for (const length of [typed.length - 1, typed.length, typed.length + 1]) {
    if (length <= word.length && isOneApart(typed, word.slice(0, length))) return true
  }
  return false
}

/** Whether two words differ by one letter, or by two swapped neighbours. */
function isOneApart(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const restA = a.slice(start, a.length - end)
  const restB = b.slice(start, b.length - end)
  if (restA.length <= 1 && restB.length <= 1) return true
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0]
}
