import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'

export type Db = Kysely<DB>

/** Somebody a person knows. */
export interface FriendRow {
  readonly id: number
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly remark: string
  readonly machines: number
  readonly since: Date
  readonly added: boolean
}

/**
 * Whom a person added, and whom they share a machine with (decision 16): both hold a key of it, or visit it now. An
 * ordinary user's list entry shares nothing, since anybody can have one.
 */
export async function listFriends(
  db: Db,
  userId: number,
  now: Date,
  slice: { start: number; count: number },
): Promise<FriendRow[]> {
  const { rows } = await sql<FriendRow>`
    with mine as (
      select machine_id from machine_grants where user_id = ${userId} and (until is null or until > ${now})
      union
      select id from machines where owner_user_id = ${userId}
    ), shared as (
      select user_id, count(distinct machine_id)::int as machines, min(since) as since
      from (
        select held.user_id, held.machine_id, held.created_at as since
        from mine join machine_grants held using (machine_id)
        where held.until is null or held.until > ${now}
        union all
        select owned.owner_user_id, owned.id, owned.created_at
        from mine join machines owned on owned.id = mine.machine_id
        where owned.owner_user_id is not null
      ) holders
      where user_id <> ${userId}
      group by user_id
    ), added as (
      select friend_id as user_id, remark, created_at from friends where user_id = ${userId}
    )
    select users.id, users.name, users.phone, users.email, coalesce(added.remark, '') as remark,
      coalesce(shared.machines, 0) as machines, least(added.created_at, shared.since) as since,
      added.user_id is not null as added
    from added full join shared using (user_id) join users on users.id = user_id
    order by added.user_id is null, users.name, users.id
    offset ${slice.start} limit ${slice.count}`.execute(db)
  return rows
}

/** How many people somebody added, but for one. */
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
