import type { Comparable } from './rule-condition.ts'

/** The values of the words in braces of a text. */
export interface TextValues {
  readonly value: Comparable | null
  readonly limit: number | null
  readonly unit: string
  readonly scale: number | null
  /** Texts of the variable's values by language, where it has some. */
  readonly words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
  /** The variable by language; `''` and its own name without a label. */
  readonly label: Readonly<Record<string, string>>
  readonly tag: string
}

/**
 * Fills {value}, {limit}, {unit} and {tag} of a rule's text in; other braces stay. Without a text in a language, people read
 * the one of another.
 */
export function fillTexts(
  text: Readonly<Record<string, string>>,
  values: TextValues,
): Readonly<Record<string, string>> {
  const { scale, unit, label, tag } = values
  const format = (value: Comparable | null) => {
    if (value === null) return '–'
    if (typeof value === 'string') return value
    return scale === null
      ? String(Number(value.toPrecision(6)))
      : value.toFixed(Math.min(Math.max(scale, 0), 10))
  }
  return Object.fromEntries(
    Object.keys(text).map((reader) => {
      const [lang, words] = textFor(text, reader)
      const filled: Readonly<Record<string, string>> = {
        value: wordOf(values.value, values.words[lang]) ?? format(values.value),
        limit: values.limit === null ? '–' : String(values.limit),
        unit,
        tag: label[lang] ?? label[''] ?? tag,
      }
      return [reader, words.replace(/\{(value|limit|unit|tag)\}/g, (_, name: string) => filled[name] ?? '')]
    }),
  )
}

function textFor(text: Readonly<Record<string, string>>, reader: string): readonly [lang: string, string] {
  const own = text[reader]?.trim() ? ([reader, text[reader]] as const) : undefined
  return own ?? Object.entries(text).find(([, words]) => words.trim() !== '') ?? [reader, '']
}

/** The text of a value; a bool's is kept under its word, and a rule has it as 1 or 0. */
function wordOf(
  value: Comparable | null,
  words: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (words === undefined || value === null) return undefined
  return words[String(value)] ?? (value === 1 || value === 0 ? words[String(value === 1)] : undefined)
}
