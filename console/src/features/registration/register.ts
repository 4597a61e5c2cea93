import { ApiError, registration } from '@busbar/contract'
import { type AccountEntry, findAccountError, toAccountFields } from '../../entities/account/account-entry.ts'
import { explainStep, isAboutAccount, readWait, type SentCode } from '../../entities/account/code-calls.ts'
import { findNameProblem, findPasswordProblem } from '../../entities/account/person-rules.ts'
import { call } from '../../shared/api/client.ts'
import type { Text } from '../../shared/i18n/text.ts'

/** The input of a registration. */
export interface Registration {
  readonly entry: AccountEntry
  readonly name: string
  readonly password: string
  /** The password once more. */
  readonly repeat: string
}

/** The errors by field; `form` belongs to none. */
export type RegisterErrors = Partial<Record<'account' | 'name' | 'password' | 'repeat' | 'form', string>>

/** Finds errors without asking the platform. */
export function findRegisterErrors(typed: Registration, t: Pick<Text, 'joining' | 'login'>): RegisterErrors {
  const account = findAccountError(typed.entry, t.login.errors)
  const name = findNameProblem(typed.name, t.joining.person)
  const password = findPasswordProblem(typed.password, t.joining.person)
  return {
    ...(account ? { account } : {}),
    ...(name ? { name } : {}),
    ...(password ? { password } : {}),
    ...(!password && typed.repeat !== typed.password ? { repeat: t.joining.person.passwordsDiffer } : {}),
  }
}

/** Registers and requests a code; returns its times. Throws ApiError. */
export function register({ entry, name, password }: Registration): Promise<SentCode> {
  return call(
    registration.register,
    { ...toAccountFields(entry), name: name.trim(), password },
    { silent: true },
  )
}

/** The field beside which a refused registration is explained. */
export function judgeRegisterFailure(error: unknown, t: Text['joining']): RegisterErrors {
  if (error instanceof ApiError) {
    if (error.is('ACCOUNT_TAKEN')) return { account: t.register.exists }
    if (error.is('PASSWORD_COMMON')) return { password: t.person.passwordCommon }
    if (error.field === 'name') return { name: t.person.nameSpecial }
    if (isAboutAccount(error) || readWait(error) !== undefined) return { account: explainStep(error, t) }
  }
  return { form: explainStep(error, t) }
}

/**
 * Activates the account by the code. Sends the password if the page still has it, because a browser that lost
 * the registration's cookie cannot set one otherwise. False for a wrong code. Throws ApiError.
 */
export async function activate(entry: AccountEntry, code: string, password: string): Promise<boolean> {
  const fields = toAccountFields(entry)
  const given = { SMSVerificationCode: code, ...(password ? { password } : {}) }
  const answer = await call(
    registration.activateAccount,
    'email' in fields
      ? { activeAccount: fields.email, ...given }
      : { activeAccount: fields.phone, countryCode: fields.countryCode, ...given },
    { silent: true },
  )
  return answer === 1
}
