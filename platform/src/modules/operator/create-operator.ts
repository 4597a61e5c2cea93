import type { Insertable, Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AccountName, accountText, findUserByAccount, hashPassword } from '../accounts/index.ts'
import { noteServerAct } from '../audit/index.ts'

/** What an account that does not exist yet is made with. */
export interface NewOperator {
  readonly name: string
  readonly password: string
  readonly lang: 'cn' | 'en'
}

/**
 * Makes an account an operator, and first makes the account where there is none. Answers what was done; `known` where
 * it was an operator already, `unknown` where there is no such account and nothing to make one with.
 */
export async function createOperator(
  db: Kysely<DB>,
  account: AccountName,
  fresh: NewOperator | undefined,
  at: Date,
): Promise<'made' | 'raised' | 'known' | 'unknown'> {
  const row = fresh && {
    name: fresh.name,
    lang: fresh.lang,
    password_hash: await hashPassword(fresh.password, 'known'),
    is_operator: true,
    ...('email' in account
      ? { email: account.email, email_verified_at: at }
      : { phone: account.phone, country_code: account.countryCode, phone_verified_at: at }),
  }
  return db.transaction().execute(async (trx) => {
    const user = await findUserByAccount(trx, account)
    const userId = user ? await raiseUser(trx, user.id) : row && (await createUser(trx, row))
    if (!user && userId === undefined) return 'unknown'
    if (userId === undefined) return 'known'
    await noteServerAct(trx, 'operator.add', accountText(account), at, { userId })
    return user ? 'raised' : 'made'
  })
}

async function createUser(trx: Kysely<DB>, row: Insertable<DB['users']>): Promise<number> {
  return (await trx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()).id
}

/** The person's id; undefined where they were an operator already. */
async function raiseUser(trx: Kysely<DB>, userId: number): Promise<number | undefined> {
  const row = await trx
    .updateTable('users')
    .set({ is_operator: true })
    .where('id', '=', userId)
    .where('is_operator', '=', false)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}
