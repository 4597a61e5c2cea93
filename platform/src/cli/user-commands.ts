import { hasSpecialCharacters, limits, shortText } from '@busbar/contract'
import { recordRightChange } from '../kernel/rights/right-changes.ts'
import { accountText, hashPassword, isCommonPassword, parseAccountName } from '../modules/accounts/index.ts'
import { noteServerAct } from '../modules/audit/index.ts'
import { createMachinePassword } from '../modules/machines/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'

const text = { type: 'string' } as const

/** The account that `--account` names. */
export function readAccount(given: Record<string, string | undefined>) {
  const account = parseAccountName(given.account ?? '', given['country-code'] ?? '86')
  if (!account) throw new CommandError('--account: an e-mail or a phone number')
  return account
}

/** `--password` within its limits; without one a random one. */
export function readPassword(password: string | undefined): string {
  if (password === undefined) return createMachinePassword()
  if (password.length < limits.passwordMin || password.length > limits.passwordMax) {
    throw new CommandError(`--password: ${limits.passwordMin} to ${limits.passwordMax} characters`)
  }
  if (isCommonPassword(password)) {
    throw new CommandError('--password: one of the most common passwords, and the first to be guessed')
  }
  return password
}

/** `--name` of a person within its limits. */
export function readName(name: string | undefined): string {
  const { personNameMin, personNameMax } = limits
  const read = shortText(personNameMin, personNameMax).safeParse(name)
  if (read.success && !hasSpecialCharacters(read.data)) return read.data
  throw new CommandError(`--name: ${personNameMin} to ${personNameMax} letters, digits, spaces, - _ ·`)
}

/** `busbar user create` */
export const userCreateCommand: Command = {
  name: ['user', 'create'],
  summary: 'make an account; prints its password once',
  usage: [
    '  --account ACCOUNT    e-mail or phone number (required)',
    `  --name NAME          the person's name, ${limits.personNameMin} to ${limits.personNameMax} characters (required)`,
    '  --country-code 86    of a phone number',
    '  --lang cn|en         language of the console (default cn)',
    '  --password PASSWORD  without it one is made',
  ].join('\n'),
  prepare(args) {
    const options = { account: text, name: text, password: text, lang: text, 'country-code': text }
    const given = readOptions(args, options, ['account', 'name'])
    const account = readAccount(given)
    const name = readName(given.name)
    const password = readPassword(given.password)
    const lang = given.lang ?? 'cn'
    if (lang !== 'cn' && lang !== 'en') throw new CommandError('--lang: cn or en')
    return async (db) => {
      const now = new Date()
      const passwordHash = await hashPassword(password, 'known')
      await db.transaction().execute(async (trx) => {
        const row = await trx
          .insertInto('users')
          .values({
            name,
            lang,
            password_hash: passwordHash,
            ...('email' in account
              ? { email: account.email, email_verified_at: now }
              : { phone: account.phone, country_code: account.countryCode, phone_verified_at: now }),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!row) throw new CommandError(`The account ${given.account} exists already`)
        await noteServerAct(trx, 'user.create', accountText(account), now)
      })
      console.log(`account   ${given.account}\npassword  ${password}`)
    }
  },
}

/** `busbar user password` */
export const userPasswordCommand: Command = {
  name: ['user', 'password'],
  summary: "set an account's password and sign it out everywhere",
  usage: [
    '  --account ACCOUNT    e-mail or phone number (required)',
    '  --country-code 86    of a phone number',
    '  --password PASSWORD  without it one is made',
  ].join('\n'),
  prepare(args) {
    const given = readOptions(args, { account: text, password: text, 'country-code': text }, ['account'])
    const account = readAccount(given)
    const password = readPassword(given.password)
    return async (db) => {
      const passwordHash = await hashPassword(password, 'known')
      await db.transaction().execute(async (trx) => {
        let update = trx.updateTable('users').set({ password_hash: passwordHash })
        update =
          'email' in account
            ? update.where('email', '=', account.email)
            : update.where('country_code', '=', account.countryCode).where('phone', '=', account.phone)
        const user = await update.returning('id').executeTakeFirst()
        if (!user) throw new CommandError(`There is no account ${given.account}`)
        const sessions = await trx
          .deleteFrom('sessions')
          .where('user_id', '=', user.id)
          .returning('id')
          .execute()
        for (const session of sessions) {
          await recordRightChange(trx, { sessionId: session.id, userId: user.id, reason: 'passwordChanged' })
        }
        await noteServerAct(trx, 'user.password.set', accountText(account), new Date())
      })
      console.log(`account   ${given.account}\npassword  ${password}`)
    }
  },
}
