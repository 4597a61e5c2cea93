import { ApiError, accounts } from '@busbar/contract'
import { call } from '../../api/client.ts'
import { describeTerminal, getTerminalId } from '../../app/session.ts'
import type { Text } from '../../i18n/text.ts'

export type AccountKind = 'phone' | 'email'

export interface Entered {
  readonly kind: AccountKind
  readonly countryCode: string
  readonly name: string
  readonly password: string
}

/** What is wrong, by the field it stands beside; `form` belongs to none. */
export type SignInErrors = Partial<Record<'name' | 'password' | 'form', string>>

const phoneDigitsMin = 6

/** An at-sign makes it an e-mail, whichever field it was typed into (seed, section 5). */
export function accountKind({ kind, name }: Pick<Entered, 'kind' | 'name'>): AccountKind {
  return name.includes('@') ? 'email' : kind
}

/** What the form can tell without asking the platform. */
export function findErrors(entered: Entered, t: Text['login']['errors']): SignInErrors {
  const name = findNameError(entered, t)
  return {
    ...(name ? { name } : {}),
    ...(entered.password ? {} : { password: t.passwordMissing }),
  }
}

function findNameError(entered: Entered, t: Text['login']['errors']): string | undefined {
  const name = entered.name.trim()
  if (accountKind(entered) === 'email') {
    if (!name) return t.emailMissing
    return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name) ? undefined : t.emailForm
  }
  if (!name) return t.phoneMissing
  return phoneDigits(name).length < phoneDigitsMin ? t.phoneShort : undefined
}

/** Spaces and dashes are how people write numbers, not part of them. */
export function phoneDigits(name: string): string {
  return name.replace(/[\s()-]/g, '')
}

/** Signs in; gives the errors, or nothing when it worked and the session's cookies are set. */
export async function signIn(
  entered: Entered,
  t: Text['login']['errors'],
): Promise<SignInErrors | undefined> {
  const { name, os } = describeTerminal()
  const email = accountKind(entered) === 'email'
  try {
    await call(
      accounts.login,
      {
        loginName: email ? entered.name.trim() : phoneDigits(entered.name),
        loginPwd: entered.password,
        countryCode: entered.countryCode,
        terminalUUID: getTerminalId(),
        terminalType: accounts.terminalTypes.pc,
        terminalName: name,
        terminalOS: os,
      },
      { silent: true },
    )
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return explain(error, t)
    throw error
  }
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
