import { ApiError, applications, errorText, type Lang, limits, textWidth } from '@busbar/contract'
import type { PasswordProof } from '../../entities/application/apply-wish.ts'
import { call } from '../../shared/api/client.ts'
import type { Text } from '../../shared/i18n/index.ts'
import { describeTerminal, getTerminalId } from '../../shared/session/session.ts'
import { isSpecialInNames } from '../../shared/ui/text-problems.ts'

/** What is entered to apply. */
export interface ApplyInput {
  readonly kind: 'bind' | 'visit'
  readonly mode: 'ro' | 'rw'
  /** With the machine's password, or with a message to its keys. */
  readonly by: 'password' | 'message'
  readonly password: string
  readonly message: string
  readonly remark: string
}

/** What is wrong, beside its field or in general. */
export type ApplyProblems = Partial<Record<'password' | 'message' | 'remark' | 'general', string>>

type Words = Text['applications']['apply']

export function findApplyProblems(input: ApplyInput, words: Words): ApplyProblems {
  const { kind, by, password, message, remark } = input
  const { problems } = words
  if (by === 'password') return password ? {} : { password: problems.passwordMissing }
  const isLong = (text: string, max: number) => textWidth(text.trim()) > max
  return {
    ...(isLong(message, limits.visitMessageMax) ? { message: problems.tooLong(limits.visitMessageMax) } : {}),
    ...(kind === 'bind' && isLong(remark, limits.remarkMax)
      ? { remark: problems.tooLong(limits.remarkMax) }
      : {}),
    ...(kind === 'bind' && isSpecialInNames(remark) ? { remark: problems.remarkSpecial } : {}),
  }
}

/** Proves the machine's password; returns the ticket that opens a visit. */
export async function provePassword(
  machineID: number,
  { password, mode }: ApplyInput,
): Promise<PasswordProof> {
  const { ticket } = await call(applications.checkMachinePassword, { machineID, password })
  return { ticket, mode }
}

/** Proves the password first, where that is the way; answers the application and where it is. */
export async function sendApplication(machineID: number, input: ApplyInput) {
  const { kind, by } = input
  const ticket = by === 'password' ? { ticket: (await provePassword(machineID, input)).ticket } : {}
  const message = by === 'message' ? input.message.trim() : ''
  if (kind === 'bind') {
    const remarks = by === 'message' ? input.remark.trim() : ''
    return call(applications.applyForBind, { machineID, remarks, message, ...ticket })
  }
  const terminal = { terminalID: getTerminalId(), terminalName: describeTerminal().name }
  return call(applications.applyForVisit, { machineID, ...terminal, message, mode: input.mode, ...ticket })
}

/** What a refusal says, where the person can do something about it. */
export function judgeApplyFailure(error: unknown, words: Words, lang: Lang): ApplyProblems {
  if (!(error instanceof ApiError)) return { general: words.failed }
  if (error.is('505')) return { password: words.problems.passwordWrong }
  if (error.field === 'message') return { message: words.failed }
  if (error.field === 'remarks') return { remark: words.failed }
  const seconds = retryInOf(error.data)
  if (seconds !== undefined) return { general: words.problems.wait(seconds) }
  const hasWords = error.http === 200 || error.http === 429
  return { general: (hasWords && errorText(error.code, lang)) || words.failed }
}

/** Seconds until one may ask again (decision 24). */
function retryInOf(data: unknown): number | undefined {
  const seconds = typeof data === 'object' && data !== null && 'retryIn' in data ? data.retryIn : undefined
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds) : undefined
}
