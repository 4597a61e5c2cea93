import { Scene } from '@busbar/contract/push'
import { type Kysely, sql } from 'kysely'
import { wakeAfterCommit } from '../database/after-commit.ts'
import { withKeptPlan } from '../database/kept-plan.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Stream } from '../facts/stream-reader.ts'

/** Retention of events for users who missed them (rules/calls.md: resume). */
const keptS = 3_600
const resumedMax = 1_000

/** Events as they are followed: of each user in the order of ids. */
export const userEventsStream: Stream = {
  table: 'user_events',
  columns: ['user_id', 'id', 'scene', 'body', 'at'],
  key: ['user_id', 'id'],
  orderBy: ['user_id', 'id'],
}

/** A row of `userEventsStream`. */
export interface UserEventRow {
  readonly user_id: number
  readonly id: number
  readonly scene: number
  readonly body: Buffer
  readonly at: Date
}

/** One user's view of an event: the same fact may show less to one than to another. */
export interface EventFor {
  readonly userId: number
  readonly body: Uint8Array
  /** Instead of the scene of the others. */
  readonly scene?: number
}

/**
 * Lets nobody else write events of these people until the end of the transaction: a number that is read after it is the
 * newest one they are told. It is the last lock that a transaction takes, because everybody who tells them something
 * waits for it; their account is not locked (rules/operations.md: locks of people).
 */
export async function lockEvents(db: Kysely<DB>, userIds: readonly number[]): Promise<void> {
  const lock = () =>
    withKeptPlan(
      'lock-user-events',
      sql`select from user_event_counts where user_id = any(${[...userIds]}::bigint[]) order by user_id for no key update`,
    ).execute(db)
  const { rows } = await lock()
  if (rows.length === new Set(userIds).size) return
  await sql`
    insert into user_event_counts (user_id, last_id)
    select id, 0 from users where id = any(${[...userIds]}::bigint[]) order by id for key share
    on conflict do nothing`.execute(db)
  await lock()
}

/**
 * Writes events, each with the next id of its user, taken under the lock of the user's counter, so that an id is never
 * seen before a smaller one of the same user (rules/calls.md: resume). After the commit the pages of every process get them.
 */
export async function createUserEvents(
  db: Kysely<DB>,
  scene: number,
  at: Date,
  events: readonly EventFor[],
): Promise<void> {
  if (events.length === 0) return
  const userIds = events.map((event) => event.userId)
  const bodies = events.map((event) => Buffer.from(event.body))
  const scenes = events.map((event) => event.scene ?? scene)
  await withKeptPlan(
    'new-user-events',
    sql`
    with given as (
      select user_id, body, scene, place from unnest(${userIds}::bigint[], ${bodies}::bytea[], ${scenes}::int[])
        with ordinality as event (user_id, body, scene, place)
    ), there as materialized (
      -- Nobody is erased until the commit; those who were get nothing.
      select id from users where id in (select user_id from given) order by id for key share
    ), counted as (
      insert into user_event_counts as counts (user_id, last_id)
      select own.user_id, own.count
      from (select user_id, count(*) as count from given group by user_id) own join there on there.id = own.user_id
      order by own.user_id
      on conflict (user_id) do update set last_id = counts.last_id + excluded.last_id
      returning user_id, last_id - (select count(*) from given where given.user_id = counts.user_id) as base
    )
    insert into user_events (user_id, id, scene, body, at)
    select user_id, base + row_number() over (partition by user_id order by place), scene, body, ${at}
    from given join counted using (user_id)`,
  ).execute(db)
  wakeAfterCommit(db, 'userEvents')
}

/** Events of a user after an id, oldest first, of the last hour. */
export async function listUserEvents(db: Kysely<DB>, userId: number, afterId: number) {
  return (
    db
      .selectFrom('user_events')
      .select(['id', 'scene', 'body', 'at'])
      .where('user_id', '=', userId)
      .where('id', '>', afterId)
      .where('at', '>', sql<Date>`now() - make_interval(secs => ${keptS})`)
      // Places are not told to a person who has hidden the map since.
      .where(
        sql<boolean>`(scene <> ${Scene.PLACE_CHANGE} or not (select hide_map from users where users.id = ${userId}))`,
      )
      .orderBy('id')
      .limit(resumedMax)
      .execute()
  )
}

/** Drops events that nobody can request any more. */
export async function removeOldEvents(db: Kysely<DB>): Promise<void> {
  await db
    .deleteFrom('user_events')
    .where('at', '<', sql<Date>`now() - make_interval(secs => ${keptS})`)
    .execute()
}
