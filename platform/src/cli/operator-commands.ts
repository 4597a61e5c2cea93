import { createOperator, type NewOperator, resetSecondFactor } from '../modules/operator/index.ts'
import { type Command, CommandError, readOptions } from './command.ts'
import { readAccount, readName, readPassword } from './user-commands.ts'

const text = { type: 'string' } as const

/** `busbar operator create` */
export const operatorCreateCommand: Command = {
  name: ['operator', 'create'],
  summary: 'make a person an operator; creates the account if needed',
  usage: [
    '  --account ACCOUNT    e-mail or phone number (required)',
    '  --name NAME          the person’s name; needed where the account does not exist yet',
    '  --country-code 86    of a phone number',
    '  --lang cn|en         language of a new account (default cn)',
    '  --password PASSWORD  of a new account; without it one is made',
  ].join('\n'),
  prepare(args) {
    const options = { account: text, name: text, password: text, lang: text, 'country-code': text }
    const given = readOptions(args, options, ['account'])
    const account = readAccount(given)
    const name = given.name === undefined ? undefined : readName(given.name)
    const password = readPassword(given.password)
    const { lang = 'cn' } = given
    if (lang !== 'cn' && lang !== 'en') throw new CommandError('--lang: cn or en')
    const fresh: NewOperator | undefined = name === undefined ? undefined : { name, password, lang }
    return async (db) => {
      const done = await createOperator(db, account, fresh, new Date())
      if (done === 'unknown')
        throw new CommandError(`There is no account ${given.account}: give a --name to create it`)
      if (done === 'known') throw new CommandError(`${given.account} is already an operator`)
      console.log(`${given.account} can open the back office at /backManage`)
      if (done === 'made') console.log(`password  ${password}`)
    }
  },
}

/** `busbar user reset-second-factor` */
export const userResetFactorCommand: Command = {
  name: ['user', 'reset-second-factor'],
  summary: 'turn off two-factor authentication for a person who lost authenticator and recovery codes',
  usage: [
    '  --account ACCOUNT    e-mail or phone number (required)',
    '  --country-code 86    of a phone number',
  ].join('\n'),
  prepare(args) {
    const given = readOptions(args, { account: text, 'country-code': text }, ['account'])
    const account = readAccount(given)
    return async (db) => {
      const done = await resetSecondFactor(db, account, new Date())
      if (done === 'unknown') throw new CommandError(`There is no account ${given.account}`)
      if (done === 'none') throw new CommandError(`${given.account} has no second factor`)
      console.log(`${given.account} can sign in with the password alone, and set up a new second factor`)
    }
  },
}
