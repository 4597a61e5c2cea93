import { hasControls, hasMarkup, textWidth } from '@busbar/contract'
import type { Text } from '../i18n/text.ts'

type Words = Text['app']

/** The problem of a text that may be `max` wide; undefined for a valid text. */
export function findLengthProblem(text: string, max: number, words: Words): string | undefined {
  const width = textWidth(text.trim())
  return width > max ? words.tooLong(width, max) : undefined
}

/** Whether a machine's name or a remark has a forbidden character. */
export function isSpecialInNames(text: string): boolean {
  return hasMarkup(text) || hasControls(text.trim())
}

/** The problem of a machine's name or a remark that may be `max` wide; undefined for a valid text. */
export function findNameProblem(text: string, max: number, words: Words): string | undefined {
  return findLengthProblem(text, max, words) ?? (isSpecialInNames(text) ? words.nameSpecial : undefined)
}
