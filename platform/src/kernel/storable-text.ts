import { hasControls } from '@busbar/contract'

const removedFromTexts = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu
/** Characters a reader does not see, or takes for a space. */
const invisible = /^(?! )[\p{C}\p{Z}]$/u
const shownUnitsMax = 64

/** Whether a name can be stored and shown: well-formed Unicode without control characters, not too long. */
export function isStorableName(name: string, bytesMax: number): boolean {
  return (
    name.length <= bytesMax &&
    name.isWellFormed() &&
    Buffer.byteLength(name) <= bytesMax &&
    !hasControls(name)
  )
}

/**
 * A text of a machine or an agent as it can be stored and shown: without control characters but tab and newline, those that
 * turn the direction included, and without halves of characters (rules/telemetry.md: texts of machines).
 */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return hasControls(whole) ? whole.replace(removedFromTexts, '') : whole
}

/** Texts by language, or any other JSON, with every text and every name in it as it can be stored. */
export function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cleanText(name), cleanDeep(inner)]))
}

/** A refused name as it can be shown: invisible characters as `\u{hex}`, at most 64 units of UTF-16. */
export function showName(name: string): string {
  let shown = ''
  for (const character of name) {
    const piece = invisible.test(character) ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
    if (shown.length + piece.length >= shownUnitsMax && name !== shown + piece) return `${shown}…`
    shown += piece
  }
  return shown
}
