import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/**
 * The only query for the friends of a person: people they added, people who are in a project with them, and people with
 * whom they share a machine that both own, hold a key of or visit. An ordinary user's list entry does not count, because anybody can have one, nor a
 * membership, because an enterprise has a list of its members.
 *
 * Answers rows of user_id, remark, machines, since and added (rules/accounts.md: friends).
 */
export function friendsOf(userId: number, now: Date): RawBuilder<unknown> {
  return sql`
    with mine as (
      select machine_id from machine_grants where user_id = ${userId} and (until is null or until > ${now})
      union
      select id from machines where owner_user_id = ${userId}
    )
    select user_id, max(remark) as remark, count(distinct machine_id)::int as machines, min(since) as since,
      bool_or(added) as added
    from (
      select friend_id as user_id, remark, null::bigint as machine_id, created_at as since, true as added
      from friends where user_id = ${userId}
      union all
      select held.user_id, '', held.machine_id, held.created_at, false
      from mine join machine_grants held using (machine_id)
      where held.until is null or held.until > ${now}
      union all
      select owned.owner_user_id, '', owned.id, owned.created_at, false
      from mine join machines owned on owned.id = mine.machine_id
      where owned.owner_user_id is not null
      union all
      select mate.user_id, '', null, greatest(mate.accepted_at, own.accepted_at), false
      from project_members own join project_members mate on mate.project_id = own.project_id
      where own.user_id = ${userId} and own.accepted_at is not null and mate.accepted_at is not null
    ) known
    where user_id <> ${userId}
    group by user_id`
}

/** A friend, with the data that a message to them needs. */
export interface FriendRow {
  readonly id: number
  readonly state: string
  readonly email: string | null
  readonly lang: string
  readonly time_zone: string | null
}

/** One of a person's current friends; undefined for everybody else. */
export async function findFriend(
  db: Db,
  userId: number,
  friendId: number,
  now: Date,
): Promise<FriendRow | undefined> {
  const { rows } = await sql<FriendRow>`
    select users.id, users.state, users.email, users.lang, users.time_zone from (${friendsOf(userId, now)}) friend join users on users.id = friend.user_id
    where friend.user_id = ${friendId}`.execute(db)
  return rows[0]
}
