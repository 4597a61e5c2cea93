import { demoMachineCode, limits } from '@busbar/contract'
import type { Text } from '../../../shared/i18n/text.ts'

/** The reasons why a text is not a machine code. */
export type CodeProblem = 'empty' | 'characters' | 'tooShort' | 'tooLong'

export interface CodeInput {
  /** The code that is sent: without the spaces and dashes of labels and messages, with plain digits. */
  readonly code: string
  readonly digits: number
  readonly problem: CodeProblem | null
}

/** Spaces of every width, dashes, dots and the invisible marks that are copied with a text. */
const separators = /[\s\u00ad\u200b-\u200f\u2060\ufeff\-\u2010-\u2015\u2212._·]/g
const fullWidthDigit = /[\uff10-\uff19]/g
const fullWidthOffset = 0xff10 - 0x30

/** Reads a machine code as people type and paste it. */
export function parseCodeInput(text: string): CodeInput {
  const code = text
    .replace(separators, '')
    .replace(fullWidthDigit, (digit) => String.fromCharCode(digit.charCodeAt(0) - fullWidthOffset))
  const digits = code.replace(/[^0-9]/g, '').length
  return { code, digits, problem: problemOf(code, digits) }
}

function problemOf(code: string, digits: number): CodeProblem | null {
  if (code === '') return 'empty'
  if (digits !== code.length) return 'characters'
  if (digits < limits.machineCodeDigits) return 'tooShort'
  return digits > limits.machineCodeDigits ? 'tooLong' : null
}

/** The problem of a machine code, with the number of missing or extra digits; undefined for a whole one. */
export function findCodeProblem(text: string, { machines }: Pick<Text, 'machines'>): string | undefined {
  const { problems } = machines.addDialog
  const { problem, digits } = parseCodeInput(text)
  const max = limits.machineCodeDigits
  switch (problem) {
    case 'empty':
      return problems.codeEmpty
    case 'characters':
      return problems.codeCharacters
    case 'tooShort':
      return problems.codeTooShort(digits, max)
    case 'tooLong':
      return problems.codeTooLong(digits, max)
    case null:
      return undefined
  }
}

/** Whether a code is the demo machine's, written any way. */
export function isDemoCode(text: string): boolean {
  return parseCodeInput(text).code === demoMachineCode
}
