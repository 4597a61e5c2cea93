import type { Lang } from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../../kernel/database/schema.gen.ts'
import { type AccountName, createPerson } from '../index.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A person who wants to register. */
export interface NewRegistration {
  readonly account: AccountName
  readonly accountHash: Buffer
  readonly browserHash: Buffer
  readonly name: string
  readonly passwordHash: string
  readonly lang: Lang
  readonly hideMap: boolean
  readonly at: Date
  readonly expiresAt: Date
}

const columnsOf = (account: AccountName) =>
  'email' in account ? { email: account.email } : { phone: account.phone, country_code: account.countryCode }

/** Stores a registration, and drops earlier ones of this browser for the same account. Answers its id. */
export async function createRegistration(db: Db, registration: NewRegistration): Promise<number> {
  await db
    .deleteFrom('registrations')
    .where('browser_hash', '=', registration.browserHash)
    .where('account_hash', '=', registration.accountHash)
    .execute()
  const row = await db
    .insertInto('registrations')
    .values({
      ...columnsOf(registration.account),
      account_hash: registration.accountHash,
      browser_hash: registration.browserHash,
      name: registration.name,
      password_hash: registration.passwordHash,
      lang: registration.lang,
      hide_map: registration.hideMap,
      created_at: registration.at,
      expires_at: registration.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Takes a registration: it is gone afterwards. */
export async function takeRegistration(db: Db, id: number, now: Date) {
  return db
    .deleteFrom('registrations')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning(['phone', 'country_code', 'email', 'name', 'password_hash', 'lang', 'hide_map'])
    .executeTakeFirst()
}

/** Whether a registration for an account waits for its code. */
export async function isBegun(db: Db, accountHash: Buffer, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('registrations')
    .select('id')
    .where('account_hash', '=', accountHash)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Makes a person of a registration; undefined when the account was taken meanwhile. */
export async function createUser(
  db: Db,
  from: NonNullable<Awaited<ReturnType<typeof takeRegistration>>>,
  at: Date,
): Promise<number | undefined> {
  return createPerson(db, {
    ...from,
    phone_verified_at: from.phone === null ? null : at,
    email_verified_at: from.email === null ? null : at,
  })
}

export async function updatePassword(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

/** Gives a person a checked phone or e-mail. Throws PostgreSQL's 23505 when it is taken. */
export async function updateAccount(db: Db, userId: number, account: AccountName, at: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({
      ...columnsOf(account),
      ...('email' in account ? { email_verified_at: at } : { phone_verified_at: at }),
    })
    .where('id', '=', userId)
    .execute()
}

export async function updateName(db: Db, userId: number, name: string): Promise<void> {
  await db.updateTable('users').set({ name }).where('id', '=', userId).execute()
}

/** Deletes the wrong passwords of accounts, from all addresses: their owner has just proved to be the owner. */
export async function removeLoginFailures(db: Db, accountHashes: readonly Buffer[]): Promise<void> {
  if (accountHashes.length === 0) return
  await db.deleteFrom('login_failures').where('account_hash', 'in', accountHashes).execute()
}
