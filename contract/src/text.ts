/** The console's two languages; `cn` is Simplified Chinese. */
export const languages = ['cn', 'en'] as const
export type Lang = (typeof languages)[number]

/** A text a person reads, in every language: a missing one does not compile. */
export type Text = Readonly<Record<Lang, string>>

/** `lang=cn|en` wins, then `Accept-Language`, then Chinese. */
export function chooseLang(wished: string | undefined, acceptLanguage: string | undefined): Lang {
  if (wished === 'cn' || wished === 'en') return wished
  for (const part of (acceptLanguage ?? '').split(',', 20)) {
    const tag = part.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (tag.startsWith('zh')) return 'cn'
    if (tag.startsWith('en')) return 'en'
  }
  return 'cn'
}

let graphemes: Intl.Segmenter | undefined

/** A text's grapheme clusters. */
function* charactersOf(text: string): Generator<string> {
  // Made when first needed: in a browser it takes longer than the rest of a page's own start.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(text)) yield segment
}

/** Characters as a person counts them: for least lengths, and for passwords. */
export function countCharacters(text: string): number {
  if (isPlain(text)) return text.length
  let count = 0
  for (const _ of charactersOf(text)) count++
  return count
}

/**
 * The room a text takes, which length limits measure: of each character a person sees 1 where it is wide (Chinese,
 * Japanese, Korean, full-width, emoji), a half where it is narrow (rules/machines.md: widths).
 */
export function textWidth(text: string): number {
  if (isPlain(text)) return text.length / 2
  let width = 0
  for (const character of charactersOf(text)) width += widthOf(character)
  return width
}

/** The beginning of a text that is at most `max` wide; never half a character. */
export function cutToWidth(text: string, max: number): string {
  let [cut, width] = ['', 0]
  for (const character of charactersOf(text)) {
    width += widthOf(character)
    if (width > max) break
    cut += character
  }
  return cut
}

/** Each unit is one narrow character. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/**
 * Unicode's blocks of East Asian wide and full-width characters, characters drawn as a picture by themselves, and those
 * that a variation selector makes one. Half-width kana and jamo (U+FF61 to U+FFDC) are narrow.
 */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u

const widthOf = (character: string): number => (wide.test(character) ? 1 : 0.5)

/**
 * Special characters: all except letters of any script with their marks, digits, space, `-`, `_` and `·`. Names of
 * machines and remarks have a separate rule.
 */
export function hasSpecialCharacters(text: string): boolean {
  return !/^[\p{L}\p{M}\p{N} \-_·]*$/u.test(text)
}

/**
 * Whether a text has `<`, `>`, quotes, a backslash or a backtick: all that is special in a machine's name and in a
 * remark, for a factory's pump is `3#泵 (东)` (rules/machines.md: characters of names).
 */
export function hasMarkup(text: string): boolean {
  return markup.test(text)
}

const markup = /[<>"'\\`]/

/**
 * Whether a text has control characters, or those that turn the writing direction (Unicode's Bidi_Control: U+061C,
 * U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), which can make one name look like another.
 */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}]/u.test(text)
}
