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

/** Characters as a person counts them (decision 27). */
export function countCharacters(text: string): number {
  // Made when first needed: in a browser it takes longer than the rest of a page's own start.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

/** Everything but letters of any script with their marks, digits, space, `-`, `_`, `·` is special (decision 27). */
export function hasSpecialCharacters(text: string): boolean {
  return !/^[\p{L}\p{M}\p{N} \-_·]*$/u.test(text)
}

/**
 * Whether a text has control characters, or those that turn the writing direction (Unicode's Bidi_Control: U+061C, U+200E,
 * U+200F, U+202A to U+202E, U+2066 to U+2069), by which one name can look like another.
 */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Bidi_Control}]/u.test(text)
}
