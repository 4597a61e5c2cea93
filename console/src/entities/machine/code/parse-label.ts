import { limits } from '@busbar/contract'
import { parseCodeInput } from './machine-code.ts'

/** Labels are shorter; a longer text is not searched. */
const labelCharactersMax = 2_048
const codeRuns = new RegExp(`(?<!\\d)\\d{${limits.machineCodeDigits}}(?!\\d)`, 'g')

/**
 * The machine code that a scanned text names: a bare code, as labels of the back office have it, or the only one in a
 * URL. Undefined for anything else; two different codes name no machine.
 */
export function parseLabel(text: string): string | undefined {
  if (text.length > labelCharactersMax) return undefined
  const { code, problem } = parseCodeInput(text)
  if (problem === null) return code
  const [found, ...others] = new Set(text.match(codeRuns))
  return others.length === 0 ? found : undefined
}
