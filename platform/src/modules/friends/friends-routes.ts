import { accounts as contract, limits } from '@busbar/contract'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findUserByAccount, parseAccountName } from '../accounts/index.ts'
import type { Db } from './friends-source.ts'
import * as store from './friends-store.ts'

/** A person's friends. Adding shows whether an account exists, and is limited like all such calls. */
export function friendsRoutes(db: Db): Binding[] {
  return [
    bind(contract.listFriends, async ({ page, pageSize, search, order }, { user, now }) => {
      const slice = { offset: (page - 1) * pageSize, count: pageSize, search: search.trim(), order }
      return (await store.listFriends(db, user.userId, new Date(now), slice)).map(presentFriend)
    }),

    bind(contract.addFriend, async ({ account, countryCode, remark }, context) => {
      const { userId } = context.user
      const name = parseAccountName(account, countryCode)
      const friend = name && (await findUserByAccount(db, name))
      if (!friend) throw new Failure('01010304')
      if (friend.id === userId) throw new Failure('FRIEND_SELF')
      await db.transaction().execute(async (trx) => {
        await lockPerson(trx, userId)
        if ((await store.countFriends(trx, userId, friend.id)) >= limits.friendsMax)
          throw new Failure('FRIENDS_FULL')
        await store.replaceFriend(trx, { userId, friendId: friend.id, remark, at: new Date(context.now) })
      })
      return { userid: friend.id }
    }),

    bind(contract.removeFriend, async ({ id }, { user }) => {
      if (!(await store.removeFriend(db, user.userId, id))) throw new Failure('404')
      return {}
    }),
  ]
}

function presentFriend(row: store.FriendRow): contract.Friend {
  return {
    userid: row.id,
    name: row.name,
    accountMasked: row.account,
    remark: row.remark,
    sharedMachines: row.machines,
    since: row.since.getTime(),
    added: row.added,
  }
}
