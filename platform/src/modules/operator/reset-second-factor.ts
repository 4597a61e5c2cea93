import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AccountName, accountText, findUserByAccount, removeSecondFactor } from '../accounts/index.ts'
import { auditServerAct } from '../audit/index.ts'

/**
 * Removes the second factor, with its recovery codes, of a person who lost both. Answers the result: `none` if there
 * was no second factor, `unknown` if the account does not exist.
 */
export async function resetSecondFactor(
  db: Kysely<DB>,
  account: AccountName,
  at: Date,
): Promise<'reset' | 'none' | 'unknown'> {
  return db.transaction().execute(async (trx) => {
    const user = await findUserByAccount(trx, account)
    if (!user) return 'unknown'
    if (!(await removeSecondFactor(trx, user.id))) return 'none'
    await auditServerAct(trx, 'user.secondFactor.reset', accountText(account), at, { userId: user.id })
    return 'reset'
  })
}
