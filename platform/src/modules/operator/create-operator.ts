import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import {
  type AccountName,
  accountText,
  checkedAccount,
  createPerson,
  findUserByAccount,
  hashPassword,
  makeOperator,
} from '../accounts/index.ts'
import { auditServerAct } from '../audit/index.ts'

/** The fields of an account that does not exist yet. */
export interface NewOperator {
  readonly name: string
  readonly password: string
  readonly lang: 'cn' | 'en'
}

/**
 * Makes an account an operator, and creates the account first if it does not exist. Answers the result; `known` if it
 * was an operator already, `unknown` if the account does not exist and cannot be created.
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
    ...checkedAccount(account, at),
  }
  return db.transaction().execute(async (trx) => {
    const user = await findUserByAccount(trx, account)
    if (user && !(await makeOperator(trx, user.id))) return 'known'
    const userId = user ? user.id : row && (await createPerson(trx, row))
    if (userId === undefined) return 'unknown'
    await auditServerAct(trx, 'operator.add', accountText(account), at, { userId })
    return user ? 'raised' : 'made'
  })
}
