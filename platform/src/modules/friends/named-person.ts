import { Failure } from '../../kernel/http/failure.ts'
import { findUserByAccount, parseAccountName } from '../accounts/index.ts'
import { type Db, type FriendRow, findFriend } from './friends-source.ts'

/** A person as a call names them: by a whole account, or a friend of the caller by id; the contract allows only one. */
export interface NamedPerson {
  readonly account?: string | undefined
  readonly countryCode: string
  readonly userId?: number | undefined
}

/**
 * The person that a call names, if they may sign in. Throws 01010304 for everybody else. A stranger's id gets the answer
 * of an unknown account, so that trying ids reveals no account (rules/accounts.md: friends).
 */
export async function findNamedPerson(
  db: Db,
  caller: { readonly userId: number; readonly now: number },
  named: NamedPerson,
): Promise<FriendRow> {
  const user =
    named.userId === undefined
      ? await findByAccount(db, named)
      : await findFriend(db, caller.userId, named.userId, new Date(caller.now))
  if (user?.state !== 'active') throw new Failure('01010304')
  return user
}

async function findByAccount(db: Db, { account = '', countryCode }: NamedPerson) {
  const name = parseAccountName(account, countryCode)
  return name && (await findUserByAccount(db, name))
}
