import { type Kysely, sql } from 'kysely'
import type { DB } from '../database/schema.gen.ts'

/** What a user missed may be asked for this long. */
const keptS = 3_600
const resumedMax = 1_000

export interface UserEvent {
  readonly userId: number
  readonly id: number
}

/** One user's view of an event: the same fact may show less to one than to another. */
export interface EventFor {
  readonly userId: number
  readonly body: Uint8Array
}

/**
 * Writes an event for each user with the next id of that user, taken under the user's row lock, so that an id
 * is never seen before a smaller one of the same user (realtime.md).
 */
export async function createUserEvents(
  db: Kysely<DB>,
  scene: number,
  at: Date,
  events: readonly EventFor[],
): Promise<UserEvent[]> {
  if (events.length === 0) return []
  const userIds = events.map((event) => event.userId)
  const bodies = events.map((event) => Buffer.from(event.body))
  const { rows } = await sql<{ user_id: number; id: number }>`
    with locked as (
      select id from users where id = any(${userIds}::bigint[]) order by id for update
    ), counted as (
      update users set event_seq = event_seq + 1 from locked where users.id = locked.id
      returning users.id as user_id, users.event_seq as id
    ), given as (
      select * from unnest(${userIds}::bigint[], ${bodies}::bytea[]) as event (user_id, body)
    )
    insert into user_events (user_id, id, scene, body, at)
    select counted.user_id, counted.id, ${scene}, given.body, ${at}
    from counted join given using (user_id)
    returning user_id, id`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, id: row.id }))
}

/** Events of a user after an id, oldest first, of the last hour. */
export async function listUserEvents(db: Kysely<DB>, userId: number, afterId: number) {
  return db
    .selectFrom('user_events')
    .select(['id', 'scene', 'body', 'at'])
    .where('user_id', '=', userId)
    .where('id', '>', afterId)
    .where('at', '>', sql<Date>`now() - make_interval(secs => ${keptS})`)
    .orderBy('id')
    .limit(resumedMax)
    .execute()
}

/** Drops what nobody can ask for any more. */
export async function removeOldUserEvents(db: Kysely<DB>): Promise<void> {
  await db
    .deleteFrom('user_events')
    .where('at', '<', sql<Date>`now() - make_interval(secs => ${keptS})`)
    .execute()
  await db.deleteFrom('right_changes').where('at', '<', sql<Date>`now() - interval '1 day'`).execute()
}
