import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'

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

/**
 * Tells people, whoever was not told within the hour, that a machine's password was tried too often, by whom last and
 * how often; answers to whom that is news.
 */
export async function createPasswordNotices(
  db: Kysely<DB>,
  keyIds: readonly number[],
  notice: { readonly machineId: number; readonly userId: number; readonly at: Date; readonly since: Date },
): Promise<number[]> {
  const { machineId, userId, at, since } = notice
  const { rows } = await sql<{ user_id: number }>`
    insert into messages (user_id, tab, type, machine_id, params, created_at)
    select key.user_id, 'device', 'passwordTries', ${machineId}::bigint,
           jsonb_build_object(
             'machine', (select name from machines where id = ${machineId}),
             'person', (select name from users where id = ${userId}),
             'count', (select count(*) from machine_password_failures failure
                       where failure.machine_id = ${machineId} and failure.at > ${since})),
           ${at}
    from unnest(${[...keyIds]}::bigint[]) as key (user_id)
    where not exists (
      select from messages told
      where told.user_id = key.user_id and told.machine_id = ${machineId} and told.type = 'passwordTries'
        and told.created_at > ${since})
    returning user_id`.execute(db)
  return rows.map((row) => row.user_id)
}
