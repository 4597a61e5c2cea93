import { ApiError, accounts } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import type { Text } from '../../shared/i18n/text.ts'
import { terminalTypeOfBrowser } from '../../shared/session/mobile-url.ts'
import { describeTerminal, getTerminalId } from '../../shared/session/session.ts'
import { type AccountEntry, accountKind, findAccountError, phoneDigits } from './account-entry.ts'

export interface Entered extends AccountEntry {
  readonly password: string
}

/** The errors by field; `form` belongs to none. */
export type SignInErrors = Partial<Record<'name' | 'password' | 'form', string>>

/**
 * A second proof that the platform requires after the password: the code it sent after many failed attempts
 * (`code`), or the code of the account's two-factor authentication (`totp`).
 */
export interface Challenge {
  readonly challenge: string
  readonly kind: 'code' | 'totp'
}

/** Empty after a successful sign-in: the session's cookies are set. */
export interface SignInOutcome {
  readonly errors?: SignInErrors
  readonly challenge?: Challenge
  /** The code was wrong. */
  readonly isCodeWrong?: true
  /** The deletion of the account was cancelled. */
  readonly isDeletionTakenBack?: boolean
}

/** Finds errors without asking the platform. */
export function findErrors(entered: Entered, t: Text['login']['errors']): SignInErrors {
  const name = findAccountError(entered, t)
  return {
    ...(name ? { name } : {}),
    ...(entered.password ? {} : { password: t.passwordMissing }),
  }
}

/** Signs in; `proof` is the code for a challenge. */
export async function signIn(
  entered: Entered,
  t: Text['login']['errors'],
  proof?: { readonly challenge: string; readonly code: string },
): Promise<SignInOutcome> {
  const { name, os } = describeTerminal()
  const email = accountKind(entered) === 'email'
  try {
    const { deletionTakenBack } = await call(
      accounts.login,
      {
        loginName: email ? entered.name.trim() : phoneDigits(entered.name),
        loginPwd: entered.password,
        countryCode: entered.countryCode,
        terminalUUID: getTerminalId(),
        terminalType: terminalTypeOfBrowser(navigator, location.search),
        terminalName: name,
        terminalOS: os,
        ...proof,
      },
      { silent: true },
    )
    return { isDeletionTakenBack: deletionTakenBack }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.is('07010112')) return { isCodeWrong: true }
    const challenge = readChallenge(error)
    return challenge ? { challenge } : { errors: explain(error, t) }
  }
}

function readChallenge(error: ApiError): Challenge | undefined {
  const { data } = error
  if (!error.is('07010111') || typeof data !== 'object' || data === null) return undefined
  const { challenge, kind } = data as Partial<Challenge>
  return typeof challenge === 'string' && (kind === 'code' || kind === 'totp')
    ? { challenge, kind }
    : undefined
}

function explain(error: ApiError, t: Text['login']['errors']): SignInErrors {
  if (error.is('07010109')) return { password: t.wrong }
  if (error.is('07010110')) return { form: lockedText(error.data, t) }
  if (error.http === 429) return { form: t.tooMany }
  if (error.http === 400 && error.field === 'loginName') return { name: error.message }
  if ([0, 408, 502, 503, 504].includes(error.http)) return { form: t.unreachable }
  return { form: error.message || t.failed }
}

function lockedText(data: unknown, t: Text['login']['errors']): string {
  const minutes = typeof data === 'object' && data !== null && 'minutes' in data ? data.minutes : undefined
  return typeof minutes === 'number' ? t.lockedFor(minutes) : t.locked
}
