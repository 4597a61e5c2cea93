import { ApiError, applications, visits } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { getTerminalId } from '../../shared/session/session.ts'
import type { PasswordProof } from '../application/apply-wish.ts'
import type { EnterRequest } from './enter-request.ts'

/** The steps of opening a machine's page, in order. */
export const enterSteps = ['rights', 'connect', 'open'] as const
export type EnterStep = (typeof enterSteps)[number]

/**
 * Reasons why a machine could not be entered: those for which the page has words, and `other` with the
 * platform's message.
 */
export const enterFailures = [
  'GENERAL_USER',
  'PASSWORD',
  'BLACKLIST',
  'WRONG_ROLE',
  'REST_TIME_OUT',
  'CLOUD_EXPIRED',
  'OFFLINE',
  'ClOUD_VISIT_TIMEOUT',
  'VISITS_OFF',
  'CONTROL_TAKEN',
  'TARGET_UNKNOWN',
  'TARGET_NOT_READ_ONLY',
  'unreachable',
  'other',
] as const
export type EnterFailureCode = (typeof enterFailures)[number]

export interface EnterFailure {
  readonly code: EnterFailureCode
  /** The platform's words. */
  readonly message: string
  /** The person in control, if that is the reason. */
  readonly who: string
  /** The way to access, if the platform named one. */
  readonly denial?: applications.EntryDenial
}

export type Entered =
  | { readonly url: string }
  | { readonly failure: EnterFailure }
  /** The caller may enter, and is asked for confirmation first. */
  | { readonly asks: visits.VisitMode }

/** The failure for each right that the first check finds missing. */
const missing = { apply: 'GENERAL_USER', password: 'PASSWORD', closed: 'CLOUD_EXPIRED' } as const

/**
 * Checks the caller's rights, then has the machine's page opened; tells each step as it begins. Without a
 * press it opens no visit. A proved password of the machine gives access by itself.
 */
export async function enterMachine(
  wanted: EnterRequest & { readonly isPressed: boolean; readonly proof: PasswordProof | undefined },
  onStep: (step: EnterStep) => void,
  signal: AbortSignal,
): Promise<Entered> {
  const machineID = wanted.machineId
  const terminalID = getTerminalId()
  const options = { signal, noNotice: true }
  try {
    onStep('rights')
    if (!wanted.proof) {
      const { next, online, mode } = await call(visits.checkVisit, { machineID, terminalID }, options)
      if (next !== 'open') return failure(missing[next], { next })
      if (!online) return failure('OFFLINE')
      if (!wanted.isPressed) return { asks: mode }
    }
    onStep('connect')
    const target = wanted.target === undefined ? {} : { target: wanted.target }
    const request = { machineID, terminalID, ...target, ...wanted.proof }
    const { url } = await call(visits.openVisit, request, options)
    onStep('open')
    return { url }
  } catch (error) {
    if (error instanceof ApiError) return { failure: explain(error) }
    throw error
  }
}

const failure = (code: EnterFailureCode, denial?: applications.EntryDenial): Entered => ({
  failure: { code, message: '', who: '', ...(denial ? { denial } : {}) },
})

const unreachable = new Set([0, 408, 502, 503, 504])

/** The failure that a rejected call means for the person. */
export function explain({ http, code, message, data }: ApiError): EnterFailure {
  const known = enterFailures.find((one) => one === code)
  const denial = denialOf(data)
  if (known) return { code: known, message, who: whoOf(data), ...(denial ? { denial } : {}) }
  return { code: unreachable.has(http) ? 'unreachable' : 'other', message, who: '' }
}

/** The holder's name beside CONTROL_TAKEN. */
export function whoOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'who' in data && typeof data.who === 'string'
    ? data.who
    : ''
}

/**
 * The way to access that the platform names; undefined if it names none, or one that this version does not
 * know.
 */
function denialOf(data: unknown): applications.EntryDenial | undefined {
  const { next, applyId, auditState, opensAt } = (data ?? {}) as Partial<
    Record<keyof applications.EntryDenial, unknown>
  >
  const known = applications.nextSteps.find((step) => step === next)
  if (known === undefined) return undefined
  return {
    next: known,
    ...(typeof applyId === 'number' ? { applyId } : {}),
    ...(typeof auditState === 'number' ? { auditState } : {}),
    ...(typeof opensAt === 'number' ? { opensAt } : {}),
  }
}
