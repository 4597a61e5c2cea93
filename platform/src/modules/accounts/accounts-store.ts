import type { Lang } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AccountName } from './account-name.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

const signInColumns = [
  'id',
  'password_hash',
  'state',
  'phone',
  'email',
  'country_code',
  'lang',
  'time_zone',
  'login_expiry_days',
  'notify_new_terminal',
] as const

/** A person who signs in. */
export type SigningInRow = NonNullable<Awaited<ReturnType<typeof findUserByAccount>>>

/** The person with this e-mail or phone, with the columns that a sign-in needs. */
export async function findUserByAccount(db: Db, account: AccountName) {
  const query = db.selectFrom('users').select(signInColumns)
  return 'email' in account
    ? query.where('email', '=', account.email).executeTakeFirst()
    : query
        .where('country_code', '=', account.countryCode)
        .where('phone', '=', account.phone)
        .executeTakeFirst()
}

/** The person of a session that still lives, with the columns that a sign-in needs. */
export async function findUserOfSession(db: Db, sessionId: number, now: Date) {
  return db
    .selectFrom('users')
    .select(signInColumns)
    .where('state', '=', 'active')
    .where('id', 'in', (where) =>
      where
        .selectFrom('sessions')
        .select('user_id')
        .where('sessions.id', '=', sessionId)
        .where('expires_at', '>', now),
    )
    .executeTakeFirst()
}

/**
 * Keeps a person as they were found until the end of this transaction; false when their password or state was changed
 * since: a session opened on the strength of the former one would outlive the change that ends all sessions.
 */
export async function lockUnchangedUser(db: Db, person: SigningInRow): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', person.id)
    .where('password_hash', '=', person.password_hash)
    .where('state', '=', 'active')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** A person by id; throws if there is no such person. */
export async function findUser(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'email',
      'phone',
      'country_code',
      'phone_verified_at',
      'email_verified_at',
      'hide_map',
      'lang',
      'time_zone',
      'is_operator',
      'state',
      'login_expiry_days',
      'notify_new_terminal',
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** A person's credentials; throws if there is no such person. */
export async function findUserCredentials(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'phone', 'country_code', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Stores a person's choices about signing in and about notices. */
export async function updateSafety(
  db: Db,
  userId: number,
  chosen: { loginExpiryDays?: number | undefined; notifyNewTerminal?: boolean | undefined },
): Promise<void> {
  const { loginExpiryDays, notifyNewTerminal } = chosen
  if (loginExpiryDays === undefined && notifyNewTerminal === undefined) return
  await db
    .updateTable('users')
    .set({
      ...(loginExpiryDays === undefined ? {} : { login_expiry_days: loginExpiryDays }),
      ...(notifyNewTerminal === undefined ? {} : { notify_new_terminal: notifyNewTerminal }),
    })
    .where('id', '=', userId)
    .execute()
}

export async function updateHideMap(db: Db, userId: number, hideMap: boolean): Promise<void> {
  await db.updateTable('users').set({ hide_map: hideMap }).where('id', '=', userId).execute()
}

/** Changes a person's language and time zone; an undefined one stays. */
export async function updateLocale(
  db: Db,
  userId: number,
  chosen: { lang?: Lang | undefined; timeZone?: string | undefined },
): Promise<void> {
  const { lang, timeZone } = chosen
  if (lang === undefined && timeZone === undefined) return
  await db
    .updateTable('users')
    .set({
      ...(lang === undefined ? {} : { lang }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    })
    .where('id', '=', userId)
    .execute()
}

/** Drops expired sessions, tickets, codes and counted failures. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('push_tickets').where('expires_at', '<=', now).execute()
  await db.deleteFrom('login_challenges').where('expires_at', '<=', now).execute()
  await db.deleteFrom('qr_logins').where('expires_at', '<=', now).execute()
  await db.deleteFrom('device_codes').where('expires_at', '<=', now).execute()
  const dayAgo = new Date(now.getTime() - 86_400_000)
  await db.deleteFrom('login_failures').where('at', '<', dayAgo).execute()
}
