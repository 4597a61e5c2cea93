import { ApiError, errorText, type Lang, limits, textWidth } from '@busbar/contract'
import { parseCodeInput } from '../../../entities/machine/code/machine-code.ts'
import type { Text } from '../../../shared/i18n/index.ts'
import { isSpecialInNames } from '../../../shared/ui/text-problems.ts'

export type AddField = 'code' | 'name' | 'password' | 'group'
export type AddProblems = Partial<Record<AddField, string>>

export interface AddInput {
  readonly code: string
  readonly name: string
  readonly password: string
}

type Words = Text['machines']['addDialog']

interface AddRules {
  /** Of a name, in Chinese characters. */
  readonly nameMax: number
  readonly needsPassword: boolean
}

export const ownRules: AddRules = { nameMax: limits.machineNameAddMax, needsPassword: false }
/** An enterprise gives the password of the label, because it becomes the owner. */
export const enterpriseRules: AddRules = { nameMax: limits.machineNameMax, needsPassword: true }

/** What is wrong with what was entered, beside the field it concerns; nothing when it can be sent. */
export function checkAddInput(input: AddInput, words: Words, rules = ownRules): AddProblems {
  const problems: AddProblems = {}
  const { problem, digits } = parseCodeInput(input.code)
  const digitsMax = limits.machineCodeDigits
  if (problem === 'empty') problems.code = words.problems.codeEmpty
  else if (problem === 'characters') problems.code = words.problems.codeCharacters
  else if (problem === 'tooShort') problems.code = words.problems.codeTooShort(digits, digitsMax)
  else if (problem === 'tooLong') problems.code = words.problems.codeTooLong(digits, digitsMax)

  const name = input.name.trim()
  const width = textWidth(name)
  if (width === 0) problems.name = words.problems.nameEmpty
  else if (width > rules.nameMax) {
    problems.name = words.problems.nameTooLong(width, rules.nameMax)
  } else if (isSpecialInNames(name)) problems.name = words.problems.nameSpecial

  if (rules.needsPassword && !input.password) problems.password = words.problems.passwordEmpty
  else if (input.password.length > limits.machinePasswordMax) {
    problems.password = words.problems.passwordTooLong(limits.machinePasswordMax)
  }
  return problems
}

const fieldOfCode: Readonly<Record<string, AddField>> = {
  '04010112': 'code',
  '04010102': 'code',
  '04010113': 'group',
  '04010412': 'name',
  '04010114': 'password',
  '505': 'password',
  MACHINE_OWNED: 'code',
}

const fieldOfRequest: Readonly<Record<string, AddField>> = {
  machineCode: 'code',
  machineName: 'name',
  machinePwd: 'password',
  machineGroupID: 'group',
  name: 'name',
  password: 'password',
  groupId: 'group',
}

export interface AddFailure {
  readonly problems: AddProblems
  /** What concerns no field. */
  readonly general: string | undefined
  /** The machine is in the list already. */
  readonly isKnown: boolean
}

/** What a refusal says, beside the field it is about, in the caller's language. */
export function judgeAddFailure(error: unknown, input: AddInput, words: Words, lang: Lang): AddFailure {
  if (!(error instanceof ApiError)) return { problems: {}, general: words.failed, isKnown: false }
  const field = fieldOfCode[error.code] ?? fieldOfRequest[error.field ?? '']
  const known = errorText(error.code, lang)
  // What the platform refused by a rule has words of its own; everything else was an accident.
  if (!field) return { problems: {}, general: (error.http === 200 && known) || words.failed, isKnown: false }
  const text = known ?? error.message
  const isPasswordMissing = error.code === '505' && input.password === ''
  return {
    problems: { [field]: isPasswordMissing ? words.problems.passwordNeeded : text },
    general: undefined,
    isKnown: error.code === '04010112',
  }
}
