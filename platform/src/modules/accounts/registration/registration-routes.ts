import { registration as contract } from '@busbar/contract'
import { type Binding, bind, type CallContext, type SignedIn } from '../../../kernel/http/bind.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { auditAct } from '../../audit/index.ts'
import { type AccountName, findUser, findUserByAccount, hashToken, parseAccountName } from '../index.ts'
import type { CodeCookies, CodeDeps } from '../verification-codes/index.ts'
import { changeAccount, resetPassword } from './recovery-service.ts'
import { activate, register } from './registration-service.ts'
import { updateName } from './registration-store.ts'

interface Deps {
  readonly codeDeps: CodeDeps
  readonly cookies: CodeCookies
  /** The session of this browser, if it is signed in. */
  readonly findCaller: (context: CallContext) => Promise<SignedIn | undefined>
}

interface AccountInput {
  readonly phone?: string | undefined
  readonly countryCode: string
  readonly email?: string | undefined
}

/** Registering, recovering an account, and changing its phone or e-mail. */
export function registrationRoutes({ codeDeps, cookies, findCaller }: Deps): Binding[] {
  const { db } = codeDeps

  async function reset(account: AccountName, password: string, context: CallContext): Promise<void> {
    const request = { account, password, ticket: cookies.ticketOf(context) }
    await resetPassword(codeDeps, request, { ...context, own: await findCaller(context) })
    cookies.removeTicket(context)
  }

  return [
    bind(contract.register, async (input, context) => {
      const account = readAccount(input)
      const browserHash = hashToken(cookies.beginRegistration(context))
      return register(codeDeps, account, input, { ...context, browserHash })
    }),

    bind(contract.activateAccount, async (input, context) => {
      const account = readTyped(input.activeAccount, input.countryCode, 'activeAccount')
      const browser = cookies.registrationOf(context)
      const { address, now } = context
      const browserHash = browser === undefined ? undefined : hashToken(browser)
      const given = { account, code: input.SMSVerificationCode, password: input.password }
      await activate(db, given, { address, now, browserHash })
      return 1 as const
    }),

    bind(contract.changeLoginPassword, async (input, context) => {
      await reset(readTyped(input.account, input.countryCode, 'account'), input.newPwd, context)
      return 1 as const
    }),

    bind(contract.resetPassword, async (input, context) => {
      await reset(readAccount(input), input.password, context)
      return {}
    }),

    bind(contract.updateAccount, async (input, context) => {
      const request = { account: readAccount(input), ticket: cookies.ticketOf(context) }
      await changeAccount(codeDeps, request, context)
      cookies.removeTicket(context)
      return {}
    }),

    bind(contract.updateUserName, async ({ name }, context) => {
      await db.transaction().execute(async (trx) => {
        await updateName(trx, context.user.userId, name)
        await auditAct(trx, context, { action: 'user.name.update', target: name })
      })
      return {}
    }),

    bind(contract.confirmAccount, async (input) => {
      if (!(await findUserByAccount(db, readAccount(input)))) throw new Failure('01010304')
      return {}
    }),

    bind(contract.getUserId, async ({ account, countryCode }, context) => {
      if (account === undefined) {
        const own = await findUser(db, context.user.userId)
        return { userid: own.id, name: own.name }
      }
      await context.takeLimit()
      const name = parseAccountName(account, countryCode)
      const found = name && (await findUserByAccount(db, name))
      if (!found) throw new Failure('01010304')
      return { userid: found.id, name: (await findUser(db, found.id)).name }
    }),
  ]
}

/** The one account of a request. Throws 400 if both or neither are given, or for an invalid phone. */
function readAccount({ phone, countryCode, email }: AccountInput): AccountName {
  if ((phone === undefined) === (email === undefined)) throw new Failure('400', { field: 'phone' })
  if (email !== undefined) return { email }
  return readTyped(phone ?? '', countryCode, 'phone')
}

function readTyped(typed: string, countryCode: string, field: string): AccountName {
  const account = parseAccountName(typed, countryCode)
  if (!account) throw new Failure('400', { field })
  return account
}
