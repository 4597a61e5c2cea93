import { hasSpecialCharacters, limits, shortText } from '@busbar/contract'
import {
  accountText,
  checkedAccount,
  createPerson,
  endSessions,
  hashPassword,
  isCommonPassword,
  parseAccountName,
  setPassword,
} from '../modules/accounts/index.ts'
import { auditServerAct } from '../modules/audit/index.ts'
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
  summary: 'create an account; prints its password once',
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
        const person = { name, lang, password_hash: passwordHash, ...checkedAccount(account, now) }
        const userId = await createPerson(trx, person)
        if (userId === undefined) throw new CommandError(`The account ${given.account} already exists`)
        await auditServerAct(trx, 'user.create', accountText(account), now)
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
        const userId = await setPassword(trx, account, passwordHash)
        if (userId === undefined) throw new CommandError(`There is no account ${given.account}`)
        await endSessions(trx, userId, { reason: 'passwordChanged' })
        await auditServerAct(trx, 'user.password.set', accountText(account), new Date())
      })
      console.log(`account   ${given.account}\npassword  ${password}`)
    }
  },
}
