import { codes as contract } from '@busbar/contract'
import { type Binding, bind, type CallContext } from '../../../kernel/http/bind.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { type AccountName, hashToken, listCountryCodes, parseAccountName } from '../index.ts'
import type { CodeCookies } from './code-cookies.ts'
import { type CodeDeps, checkCode, sendCode } from './codes-service.ts'

interface Deps {
  readonly codeDeps: CodeDeps
  readonly cookies: CodeCookies
}

type PhoneInput = { readonly phone: string; readonly countryCode: string }

/** Sending codes, checking them for a ticket, and the countries a phone can be of. */
export function codesRoutes({ codeDeps, cookies }: Deps): Binding[] {
  async function send(account: AccountName, purpose: contract.CodePurpose, context: CallContext) {
    const { lang, brand, address, now } = context
    const request = { account, purpose, lang, brand, address, now }
    if (purpose !== 'register') return sendCode(codeDeps, request)
    return sendCode(codeDeps, request, { browserHash: hashToken(cookies.beginRegistration(context)) })
  }

  async function check(
    account: AccountName,
    { code, purpose }: { code: string; purpose: contract.CodePurpose },
    context: CallContext,
  ) {
    const { address, now } = context
    cookies.setTicket(context, await checkCode(codeDeps.db, { account, purpose, code, address, now }))
    return {}
  }

  return [
    bind(contract.sendEmailCode, ({ email, purpose }, context) => send({ email }, purpose, context)),
    bind(contract.sendPhoneCode, (input, context) => send(readPhone(input), input.purpose, context)),
    bind(contract.checkEmailCode, ({ email, ...given }, context) => check({ email }, given, context)),
    bind(contract.verifyEmail, ({ email, ...given }, context) => check({ email }, given, context)),
    bind(contract.checkPhoneCode, (input, context) => check(readPhone(input), input, context)),
    bind(contract.listCountryCodes, () => [...listCountryCodes()]),
  ]
}

/** The phone of a request. Throws 400 for an invalid one. */
function readPhone({ phone, countryCode }: PhoneInput): AccountName {
  const account = phone.includes('@') ? undefined : parseAccountName(phone, countryCode)
  if (!account) throw new Failure('400', { field: 'phone' })
  return account
}
