import { type ApiError, applications } from '@busbar/contract'
import type { PasswordProof } from '../../entities/application/apply-wish.ts'
import { call } from '../../shared/api/client.ts'
import type { Text } from '../../shared/i18n/index.ts'
import { describeTerminal, getTerminalId } from '../../shared/session/session.ts'

/** The input of the form. */
export type ApplyInput = {
  readonly kind: 'bind' | 'visit'
  readonly mode: 'ro' | 'rw'
  /** With the machine's password, or with a message to its keys. */
  readonly by: 'password' | 'message'
  readonly password: string
  readonly message: string
  readonly remarks: string
}

type Words = Text['applications']['apply']

/** Proves the machine's password; returns the ticket that opens a visit. */
export async function provePassword(
  machineID: number,
  { password, mode }: ApplyInput,
): Promise<PasswordProof> {
  const { ticket } = await call(applications.checkMachinePassword, { machineID, password })
  return { ticket, mode }
}

/** Proves the password first, if that is the way; returns the application and its state. */
export async function sendApplication(machineID: number, input: ApplyInput) {
  const { kind, by } = input
  const ticket = by === 'password' ? { ticket: (await provePassword(machineID, input)).ticket } : {}
  const message = by === 'message' ? input.message.trim() : ''
  if (kind === 'bind') {
    const remarks = by === 'message' ? input.remarks.trim() : ''
    return call(applications.applyForBind, { machineID, remarks, message, ...ticket })
  }
  const terminal = { terminalID: getTerminalId(), terminalName: describeTerminal().name }
  return call(applications.applyForVisit, { machineID, ...terminal, message, mode: input.mode, ...ticket })
}

/** The form's own words for a refusal. */
export function explainRefusal(error: ApiError, { problems }: Words): string | undefined {
  if (error.is('505')) return problems.passwordWrong
  const seconds = retryInOf(error.data)
  return seconds === undefined ? undefined : problems.wait(seconds)
}

/** Seconds until the next request is allowed. */
function retryInOf(data: unknown): number | undefined {
  const seconds = typeof data === 'object' && data !== null && 'retryIn' in data ? data.retryIn : undefined
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds) : undefined
}
