import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** Wrong passwords of a machine since an instant, but one: by this user, and by anybody. */
export async function countPasswordFailures(
  db: Kysely<DB>,
  machineId: number,
  userId: number,
  which: { since: Date; exceptId: number },
) {
  return db
    .selectFrom('machine_password_failures')
    .select([
      sql<number>`count(*) filter (where user_id = ${userId})`.as('byUser'),
      sql<number>`count(*)`.as('byAnybody'),
    ])
    .where('machine_id', '=', machineId)
    .where('at', '>', which.since)
    .where('id', '!=', which.exceptId)
    .executeTakeFirstOrThrow()
}

/** Counts a wrong password; answers its id. */
export async function createPasswordFailure(
  db: Kysely<DB>,
  machineId: number,
  userId: number,
  at: Date,
): Promise<number> {
  const row = await db
    .insertInto('machine_password_failures')
    .values({ machine_id: machineId, user_id: userId, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Takes back one counted failure. */
export async function removePasswordFailure(db: Kysely<DB>, id: number): Promise<void> {
  await db.deleteFrom('machine_password_failures').where('id', '=', id).execute()
}

/** Drops counted failures that no limit uses any more. */
export async function removeOldFailures(db: Kysely<DB>, now: number): Promise<void> {
  await db
    .deleteFrom('machine_password_failures')
    .where('at', '<', new Date(now - 86_400_000))
    .execute()
}

/** Data of the notice about too many wrong passwords: the last person who tried, and the tries since `since`. */
export function triesParams(machineId: number, userId: number, since: Date): RawBuilder<unknown> {
  return sql`jsonb_build_object(
    'person', (select name from users where id = ${userId}),
    'count', (select count(*) from machine_password_failures failure
              where failure.machine_id = ${machineId} and failure.at > ${since}))`
}
