import { ApiError, codes, errorText } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import { getLang } from '../../shared/i18n/language.ts'
import type { Text } from '../../shared/i18n/text.ts'
import { type AccountEntry, toAccountFields } from './account-entry.ts'

export type CodePurpose = codes.CodePurpose

/** The times of a code that was sent, in seconds. */
export interface SentCode {
  /** Lifetime, in seconds. */
  readonly expireIn: number
  /** Seconds until another one may be requested. */
  readonly retryIn: number
}

/** Sends a code; returns its times. Throws ApiError. */
export function requestCode(entry: AccountEntry, purpose: CodePurpose): Promise<SentCode> {
  const fields = toAccountFields(entry)
  return 'email' in fields
    ? call(codes.sendEmailCode, { ...fields, purpose }, { silent: true })
    : call(codes.sendPhoneCode, { ...fields, purpose }, { silent: true })
}

/** Sends a code; returns the seconds until another one may be requested. Throws ApiError. */
export async function sendCode(entry: AccountEntry, purpose: CodePurpose): Promise<number> {
  return (await requestCode(entry, purpose)).retryIn
}

/** Checks a code: this browser then has the ticket for the next step. Throws ApiError. */
export async function checkCode(entry: AccountEntry, purpose: CodePurpose, code: string): Promise<void> {
  const fields = toAccountFields(entry)
  if ('email' in fields) await call(codes.checkEmailCode, { ...fields, code, purpose }, { silent: true })
  else await call(codes.checkPhoneCode, { ...fields, code, purpose }, { silent: true })
}

/** The seconds to wait if codes were requested too often; undefined for any other failure. */
export function readWait(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || !error.is('CODE_TOO_OFTEN')) return undefined
  const { data } = error
  const seconds = typeof data === 'object' && data !== null && 'retryIn' in data ? data.retryIn : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

const unreachable = [0, 408, 502, 503, 504]

/** Explains a failed step to the person. */
export function explainStep(error: unknown, t: Text['joining']): string {
  const wait = readWait(error)
  if (wait !== undefined) return t.codes.waitFor(wait)
  if (!(error instanceof ApiError)) return t.failed
  if (error.http === 429) return t.tooMany
  if (error.field === 'phone' || error.field === 'countryCode') return t.person.phoneInvalid
  if (error.field === 'email') return t.person.emailInvalid
  if (unreachable.includes(error.http)) return t.nothingLost
  return (error.http === 200 && errorText(error.code, getLang())) || t.failed
}

/** Whether a failure belongs beside the account field. */
export function isAboutAccount(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (['phone', 'email', 'countryCode', 'account'].includes(error.field ?? '')) return true
  return error.is('ACCOUNT_TAKEN') || error.is('ACCOUNT_SAME')
}
