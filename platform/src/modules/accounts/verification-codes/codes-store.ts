import type { codes as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/**
 * Takes the codes of an account for this transaction, or answers false at once: who comes at the same moment is
 * refused, not kept waiting with a connection in hand.
 */
export async function lockAccount(db: Db, accountHash: Buffer): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${accountHash.readBigInt64BE(0).toString()}::bigint) as locked`.execute(
    db,
  )
  return rows[0]?.locked ?? false
}

/** Waits for others who send from the same address: of many at once each sees those before it. */
export async function lockAddress(db: Db, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${address}`}, 0))`.execute(db)
}

/** Times of an account's newest codes, newest first. */
export async function listAskedByAccount(db: Db, accountHash: Buffer, which: { since: Date; max: number }) {
  const rows = await db
    .selectFrom('codes')
    .select('sent_at')
    .where('account_hash', '=', accountHash)
    .where('sent_at', '>', which.since)
    .orderBy('sent_at', 'desc')
    .limit(which.max)
    .execute()
  return rows.map((row) => row.sent_at.getTime())
}

/** Times of the newest codes requested from an address, newest first. */
export async function listAskedByAddress(db: Db, address: string, which: { since: Date; max: number }) {
  const rows = await db
    .selectFrom('codes')
    .select('sent_at')
    .where('address', '=', address)
    .where('sent_at', '>', which.since)
    .orderBy('sent_at', 'desc')
    .limit(which.max)
    .execute()
  return rows.map((row) => row.sent_at.getTime())
}

/** When an account's newest wrong codes were given, newest first. */
export async function listWrongCodes(db: Db, accountHash: Buffer, which: { since: Date; max: number }) {
  const rows = await db
    .selectFrom('code_failures')
    .select('at')
    .where('account_hash', '=', accountHash)
    .where('at', '>', which.since)
    .orderBy('at', 'desc')
    .limit(which.max)
    .execute()
  return rows.map((row) => row.at.getTime())
}

/** A code to be stored. */
export interface NewCode {
  readonly accountHash: Buffer
  readonly address: string
  readonly purpose: contract.CodePurpose
  readonly codeHash: Buffer
  readonly browserHash: Buffer | undefined
  readonly registrationId: number | undefined
  readonly sentAt: Date
  readonly expiresAt: Date
}

/** Stores a code. */
export async function createCode(db: Db, code: NewCode): Promise<void> {
  await db
    .insertInto('codes')
    .values({
      account_hash: code.accountHash,
      address: code.address,
      purpose: code.purpose,
      code_hash: code.codeHash,
      browser_hash: code.browserHash ?? null,
      registration_id: code.registrationId ?? null,
      sent_at: code.sentAt,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** Codes of an account that are still valid, newest first; with a browser, only those requested there. */
export async function listLiveCodes(
  db: Db,
  which: { accountHash: Buffer; purpose: contract.CodePurpose; browserHash?: Buffer | undefined },
  limits: { now: Date; triesMax: number },
) {
  let query = db
    .selectFrom('codes')
    .select(['id', 'code_hash', 'registration_id', 'sent_at', 'expires_at'])
    .where('account_hash', '=', which.accountHash)
    .where('purpose', '=', which.purpose)
    .where('expires_at', '>', limits.now)
    .where('used_at', 'is', null)
    .where('wrong_tries', '<', limits.triesMax)
  if (which.browserHash) query = query.where('browser_hash', '=', which.browserHash)
  return query.orderBy('id', 'desc').execute()
}

/** Sets the codes that activate a registration. */
export async function updateCodesRegistration(
  db: Db,
  ids: readonly number[],
  registrationId: number,
): Promise<void> {
  await db.updateTable('codes').set({ registration_id: registrationId }).where('id', 'in', ids).execute()
}

/** Codes are used once: these are gone with the one that was given. */
export async function updateCodesUsed(db: Db, ids: readonly number[], at: Date): Promise<void> {
  await db.updateTable('codes').set({ used_at: at }).where('id', 'in', ids).execute()
}

/** Counts a wrong code: against each that could have been meant, and against the account. */
export async function createWrongCode(
  db: Db,
  accountHash: Buffer,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  await db.updateTable('codes').set({ wrong_tries: sql`wrong_tries + 1` }).where('id', 'in', ids).execute()
  await db.insertInto('code_failures').values({ account_hash: accountHash, at }).execute()
}

/** The registration a browser began for an account, if it still waits. */
export async function findRegistration(
  db: Db,
  which: { browserHash: Buffer; accountHash: Buffer },
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('registrations')
    .select('id')
    .where('browser_hash', '=', which.browserHash)
    .where('account_hash', '=', which.accountHash)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

/** A ticket to be stored, or taken. */
export interface Ticket {
  readonly ticketHash: Buffer
  readonly accountHash: Buffer
  readonly purpose: contract.CodePurpose
}

/** Stores a ticket. */
export async function createTicket(db: Db, ticket: Ticket, expiresAt: Date): Promise<void> {
  await db
    .insertInto('code_tickets')
    .values({
      ticket_hash: ticket.ticketHash,
      account_hash: ticket.accountHash,
      purpose: ticket.purpose,
      expires_at: expiresAt,
    })
    .execute()
}

/** Takes a ticket: true once, for its account and purpose, while it lives. */
export async function takeTicket(db: Db, ticket: Ticket, now: Date): Promise<boolean> {
  const taken = await db
    .deleteFrom('code_tickets')
    .where('ticket_hash', '=', ticket.ticketHash)
    .where('account_hash', '=', ticket.accountHash)
    .where('purpose', '=', ticket.purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return taken.numDeletedRows === 1n
}

/** Drops rows that no limit counts any more. */
export async function removeExpiredCodes(db: Db, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  await db.deleteFrom('codes').where('sent_at', '<', dayAgo).execute()
  await db.deleteFrom('code_failures').where('at', '<', dayAgo).execute()
  await db.deleteFrom('code_tickets').where('expires_at', '<=', now).execute()
  await db.deleteFrom('registrations').where('expires_at', '<=', now).execute()
}
