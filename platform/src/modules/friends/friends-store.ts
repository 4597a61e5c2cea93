import type { accounts as contract } from '@busbar/contract'
import { type RawBuilder, sql } from 'kysely'
import { escapeLike } from '../../kernel/database/search.ts'
import { type Db, friendsOf } from './friends-source.ts'

/** A friend of a person. */
export interface FriendRow {
  readonly id: number
  readonly name: string
  /** The phone, or without one the e-mail, with `*` for the characters that others may not read. */
  readonly account: string
  readonly remark: string
  readonly machines: number
  readonly since: Date
  readonly added: boolean
}

interface FriendPage {
  readonly offset: number
  readonly count: number
  readonly search: string
  readonly order: contract.FriendOrder
}

/**
 * The result of `maskPhone` and `maskEmail` as an SQL expression. A search compares the masked account: by the whole
 * account it would reveal the hidden digits one after the other.
 */
const maskedAccount = sql<string>`
  case when users.phone <> '' then (
    select left(users.phone, head) || repeat('*', length(users.phone) - kept) || right(users.phone, kept - head)
    from (select kept, kept * 3 / 7 as head from (select greatest(0, least(length(users.phone) - 4, 7)) as kept) k) h
  )
  when users.email <> '' then
    case when length(split_part(users.email, '@', 1)) > 1 then left(users.email, 1) else '' end
      || '***@' || split_part(users.email, '@', 2)
  else '' end`

const orders: Readonly<Record<contract.FriendOrder, RawBuilder<unknown>>> = {
  added: sql`not added, name, id`,
  name: sql`name, id`,
  since: sql`since desc, id`,
  machines: sql`machines desc, name, id`,
}

/** A person's friends; of a search those whose name, remark or masked account holds it, case ignored. */
export async function listFriends(db: Db, userId: number, now: Date, page: FriendPage): Promise<FriendRow[]> {
  const pattern = `%${escapeLike(page.search.toLowerCase())}%`
  const { rows } = await sql<FriendRow>`
    select * from (
      select users.id, users.name, ${maskedAccount} as account, friend.remark, friend.machines, friend.since,
        friend.added
      from (${friendsOf(userId, now)}) friend join users on users.id = friend.user_id
    ) known
    ${page.search === '' ? sql`` : sql`where lower(concat_ws(E'\\n', name, remark, account)) like ${pattern}`}
    order by ${orders[page.order]}
    offset ${page.offset} limit ${page.count}`.execute(db)
  return rows
}

/** Number of people that a person added, except one. */
export async function countFriends(db: Db, userId: number, exceptId: number): Promise<number> {
  const { count } = await db
    .selectFrom('friends')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('friend_id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds a person, or changes the remark on one that was added. */
export async function replaceFriend(
  db: Db,
  friend: { userId: number; friendId: number; remark: string; at: Date },
): Promise<void> {
  await db
    .insertInto('friends')
    .values({
      user_id: friend.userId,
      friend_id: friend.friendId,
      remark: friend.remark,
      created_at: friend.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'friend_id']).doUpdateSet({ remark: friend.remark }),
    )
    .execute()
}

/** False when the person was not added. */
export async function removeFriend(db: Db, userId: number, friendId: number): Promise<boolean> {
  const result = await db
    .deleteFrom('friends')
    .where('user_id', '=', userId)
    .where('friend_id', '=', friendId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
