import { sql } from 'kysely'
import type { Db } from './accounts-store.ts'

/** What wrong passwords are counted by: an account, known or not, and where they came from. */
export interface LoginDoor {
  readonly accountHash: Buffer
  readonly addressKey: string
}

/** The newest failures at a door since an instant, at most `max`, but one. */
export async function listLoginFailures(
  db: Db,
  door: LoginDoor,
  which: { since: Date; exceptId: number; max: number },
) {
  return db
    .selectFrom('login_failures')
    .select('at')
    .where('account_hash', '=', door.accountHash)
    .where('address', '=', door.addressKey)
    .where('at', '>', which.since)
    .where('id', '!=', which.exceptId)
    .orderBy('at', 'desc')
    .limit(which.max)
    .execute()
}

/** How often an account was guessed at since an instant, from anywhere, but for some. */
export async function countLoginFailures(
  db: Db,
  accountHash: Buffer,
  since: Date,
  exceptIds: readonly number[],
): Promise<number> {
  const { count } = await db
    .selectFrom('login_failures')
    .select(sql<number>`count(*)`.as('count'))
    .where('account_hash', '=', accountHash)
    .where('at', '>', since)
    .where(sql<boolean>`id <> all(${exceptIds}::bigint[])`)
    .executeTakeFirstOrThrow()
  return count
}

/** Counts a failure; answers its id. */
export async function createLoginFailure(db: Db, door: LoginDoor, at: Date): Promise<number> {
  const row = await db
    .insertInto('login_failures')
    .values({ account_hash: door.accountHash, address: door.addressKey, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Takes back one counted failure. */
export async function removeLoginFailure(db: Db, id: number): Promise<void> {
  await db.deleteFrom('login_failures').where('id', '=', id).execute()
}

/** Forgets the failures at a door. */
export async function removeLoginFailures(db: Db, door: LoginDoor): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where('account_hash', '=', door.accountHash)
    .where('address', '=', door.addressKey)
    .execute()
}
