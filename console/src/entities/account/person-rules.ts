import { countCharacters, hasSpecialCharacters, limits, textWidth } from '@busbar/contract'
import type { Text } from '../../shared/i18n/text.ts'

type Words = Text['joining']['person']

/** What is wrong with a person's name (decision 27), or nothing. */
export function findNameProblem(name: string, t: Words): string | undefined {
  const { personNameMin: min, personNameMax: max } = limits
  const trimmed = name.trim()
  if (countCharacters(trimmed) < min || textWidth(trimmed) > max) return t.nameLength(min, max)
  return hasSpecialCharacters(trimmed) ? t.nameSpecial : undefined
}

/** What is wrong with a password somebody chooses, or nothing. Which ones are too common only the platform knows. */
export function findPasswordProblem(password: string, t: Words): string | undefined {
  const { passwordMin: min, passwordMax: max } = limits
  const count = countCharacters(password)
  return count < min || count > max ? t.passwordLength(min, max) : undefined
}
