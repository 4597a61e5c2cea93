import { Failure } from '../../http/failure.ts'
import { findUserByAccount, parseAccountName } from '../accounts/index.ts'
import { type Db, type FriendRow, findFriend } from './friends-source.ts'

/** Somebody as a call names them: by an account typed in full, or one of the caller's friends by id; the contract lets one of both through. */
export interface NamedPerson {
  readonly account?: string | undefined
  readonly countryCode: string
  readonly userId?: number | undefined
}

/**
 * Whom a call names, if they may sign in. Throws 01010304 for everybody else; a stranger's id is answered as an unknown
 * account is, so that counting through ids tells nothing.
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
