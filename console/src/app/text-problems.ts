import { hasControls, hasMarkup, textWidth } from '@busbar/contract'
import type { Text } from '../i18n/text.ts'

type Words = Text['app']

/** What is wrong with a text that may be `max` wide, or nothing. */
export function findLengthProblem(text: string, max: number, words: Words): string | undefined {
  const width = textWidth(text.trim())
  return width > max ? words.tooLong(width, max) : undefined
}

/** Whether a machine's name or a remark has a character that none may have. */
export function isSpecialInNames(text: string): boolean {
  return hasMarkup(text) || hasControls(text.trim())
}

/** What is wrong with a machine's name or a remark that may be `max` wide, or nothing. */
export function findNameProblem(text: string, max: number, words: Words): string | undefined {
  return findLengthProblem(text, max, words) ?? (isSpecialInNames(text) ? words.nameSpecial : undefined)
}
