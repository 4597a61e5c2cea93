import { sql } from 'kysely'
import type { Db } from './accounts-store.ts'

/** The keys under which wrong passwords are counted: an account, known or not, and their address. */
export interface LoginAttemptKey {
  readonly accountHash: Buffer
  readonly addressKey: string
}

/** The newest failures of a key since an instant, at most `max`, but one. */
export async function listLoginFailures(
  db: Db,
  key: LoginAttemptKey,
  which: { since: Date; exceptId: number; max: number },
) {
  return db
    .selectFrom('login_failures')
    .select('at')
    .where('account_hash', '=', key.accountHash)
    .where('address', '=', key.addressKey)
    .where('at', '>', which.since)
    .where('id', '!=', which.exceptId)
    .orderBy('at', 'desc')
    .limit(which.max)
    .execute()
}

/** Number of guesses at an account since an instant, from any address, except some. */
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
export async function createLoginFailure(db: Db, key: LoginAttemptKey, at: Date): Promise<number> {
  const row = await db
    .insertInto('login_failures')
    .values({ account_hash: key.accountHash, address: key.addressKey, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Takes back one counted failure. */
export async function removeLoginFailure(db: Db, id: number): Promise<void> {
  await db.deleteFrom('login_failures').where('id', '=', id).execute()
}

/** Deletes the failures of an account and address. */
export async function removeLoginFailures(db: Db, key: LoginAttemptKey): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where('account_hash', '=', key.accountHash)
    .where('address', '=', key.addressKey)
    .execute()
}
