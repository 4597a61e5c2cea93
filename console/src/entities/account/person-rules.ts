import { countCharacters, hasSpecialCharacters, limits, textWidth } from '@busbar/contract'
import type { Text } from '../../shared/i18n/text.ts'

type Words = Text['joining']['person']

/** The problem of a person's name; undefined without one (docs/decisions/0027-names-and-forms.md). */
export function findNameProblem(name: string, t: Words): string | undefined {
  const { personNameMin: min, personNameMax: max } = limits
  const trimmed = name.trim()
  if (countCharacters(trimmed) < min || textWidth(trimmed) > max) return t.nameLength(min, max)
  return hasSpecialCharacters(trimmed) ? t.nameSpecial : undefined
}

/**
 * Finds a problem of a new password; undefined if there is none. Only the platform knows which passwords are
 * too common.
 */
export function findPasswordProblem(password: string, t: Words): string | undefined {
  const { passwordMin: min, passwordMax: max } = limits
  const count = countCharacters(password)
  return count < min || count > max ? t.passwordLength(min, max) : undefined
}
