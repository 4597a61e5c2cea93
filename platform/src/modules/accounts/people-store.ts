import type { Insertable } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { eraseRightChangesOf, recordRightChanges } from '../../kernel/rights/right-changes.ts'
import type { AccountName } from './account-name.ts'
import type { Db } from './accounts-store.ts'

/** Creates a person; undefined if the account is taken. */
export async function createPerson(db: Db, person: Insertable<DB['users']>): Promise<number | undefined> {
  const row = await db
    .insertInto('users')
    .values(person)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The columns of an account that was checked. */
export function checkedAccount(account: AccountName, at: Date) {
  return 'email' in account
    ? { email: account.email, email_verified_at: at }
    : { phone: account.phone, country_code: account.countryCode, phone_verified_at: at }
}

/** Locks a person or lets them in again, makes an operator or an ordinary person. */
export async function updatePerson(
  trx: Db,
  userId: number,
  change: { state?: 'active' | 'locked' | 'leaving'; is_operator?: boolean },
): Promise<void> {
  await trx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Makes a person an operator; false if they were one. */
export async function makeOperator(trx: Db, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ is_operator: true })
    .where('id', '=', userId)
    .where('is_operator', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets the password of an account; answers the person's id, undefined if the account does not exist. */
export async function setPassword(
  trx: Db,
  account: AccountName,
  passwordHash: string,
): Promise<number | undefined> {
  const update = trx.updateTable('users').set({ password_hash: passwordHash })
  const row = await ('email' in account
    ? update.where('email', '=', account.email)
    : update.where('country_code', '=', account.countryCode).where('phone', '=', account.phone)
  )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Removes every session that began on a brand, and records it as a change of rights, so that their open visits end. */
export async function endSessionsOfBrand(trx: Db, brandId: number): Promise<void> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('brand_id', '=', brandId)
    .returning(['id', 'user_id'])
    .execute()
  await recordRightChanges(
    trx,
    ended.map((session) => ({ sessionId: session.id, userId: session.user_id, reason: 'brandArchived' })),
  )
}

/** Removes a person with all their rows; their work for others stays without a name. */
export async function removePerson(trx: Db, userId: number): Promise<void> {
  await eraseRightChangesOf(trx, userId)
  await trx.deleteFrom('users').where('id', '=', userId).execute()
}

/** Removes the rows of limits and codes that have keys of a person's accounts instead of their id. */
export async function removeAccountTraces(trx: Db, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return
  // Codes point at registrations.
  await trx.deleteFrom('codes').where('account_hash', 'in', hashes).execute()
  await trx.deleteFrom('registrations').where('account_hash', 'in', hashes).execute()
  await trx.deleteFrom('code_failures').where('account_hash', 'in', hashes).execute()
  await trx.deleteFrom('code_tickets').where('account_hash', 'in', hashes).execute()
  await trx.deleteFrom('login_failures').where('account_hash', 'in', hashes).execute()
  await trx.deleteFrom('login_challenges').where('account_hash', 'in', hashes).execute()
}
