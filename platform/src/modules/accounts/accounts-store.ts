import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import type { AccountName } from './account-name.ts'

export type Db = Kysely<DB>

export async function findUserByAccount(db: Db, account: AccountName) {
  const query = db
    .selectFrom('users')
    .select(['id', 'password_hash', 'state', 'phone', 'email', 'country_code', 'login_expiry_days'])
  return 'email' in account
    ? query.where('email', '=', account.email).executeTakeFirst()
    : query
        .where('country_code', '=', account.countryCode)
        .where('phone', '=', account.phone)
        .executeTakeFirst()
}

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
      'is_operator',
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Failures of an account since an instant: from one address, and from anywhere. */
export async function countLoginFailures(
  db: Db,
  accountHash: Buffer,
  address: string,
  since: { address: Date; anywhere: Date },
) {
  return db
    .selectFrom('login_failures')
    .select([
      sql<number>`count(*) filter (where address = ${address} and at > ${since.address})`.as('fromAddress'),
      sql<number>`count(*) filter (where at > ${since.anywhere})`.as('fromAnywhere'),
    ])
    .where('account_hash', '=', accountHash)
    .executeTakeFirstOrThrow()
}

export async function createLoginFailure(
  db: Db,
  accountHash: Buffer,
  address: string,
  at: Date,
): Promise<void> {
  await db.insertInto('login_failures').values({ account_hash: accountHash, address, at }).execute()
}

export async function removeLoginFailures(db: Db, accountHash: Buffer, address: string): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where('account_hash', '=', accountHash)
    .where('address', '=', address)
    .execute()
}

export interface NewSession {
  readonly userId: number
  readonly tokenHash: Buffer
  readonly terminalUuid: string
  readonly terminalType: number
  readonly terminalName: string
  readonly terminalOs: string | null
  readonly address: string
  readonly at: Date
  readonly expiresAt: Date
  readonly endsAt: Date
}

export async function createSession(db: Db, session: NewSession): Promise<number> {
  const row = await db
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      token_hash: session.tokenHash,
      terminal_uuid: session.terminalUuid,
      terminal_type: session.terminalType,
      terminal_name: session.terminalName,
      terminal_os: session.terminalOs,
      address: session.address,
      created_at: session.at,
      last_seen_at: session.at,
      expires_at: session.expiresAt,
      ends_at: session.endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function findLiveSession(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.last_seen_at',
      'sessions.ends_at',
      'users.login_expiry_days',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('users.state', '=', 'active')
    .executeTakeFirst()
}

export async function updateSessionSeen(
  db: Db,
  sessionId: number,
  seenAt: Date,
  expiresAt: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: seenAt, expires_at: expiresAt })
    .where('id', '=', sessionId)
    .execute()
}

export async function listSessions(db: Db, userId: number, now: Date, from: number, count: number) {
  const live = db.selectFrom('sessions').where('user_id', '=', userId).where('expires_at', '>', now)
  const [rows, total] = await Promise.all([
    live
      .select(['id', 'terminal_type', 'terminal_name', 'terminal_os', 'address', 'created_at', 'expires_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(from)
      .limit(count)
      .execute(),
    live.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}

/** Removes sessions of a user that `pick` names; answers those that were there. */
export async function removeSessions(
  db: Db,
  userId: number,
  pick: { id: number } | { terminalUuid: string; exceptId: number },
) {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  query =
    'id' in pick
      ? query.where('id', '=', pick.id)
      : query.where('terminal_uuid', '=', pick.terminalUuid).where('id', '!=', pick.exceptId)
  return query.returning(['id']).execute()
}

export async function createRightChange(
  db: Db,
  change: { sessionId?: number; userId?: number; machineId?: number; reason: string; address?: string },
): Promise<void> {
  await db
    .insertInto('right_changes')
    .values({
      session_id: change.sessionId ?? null,
      user_id: change.userId ?? null,
      machine_id: change.machineId ?? null,
      reason: change.reason,
      address: change.address ?? null,
    })
    .execute()
}

export async function createPushTicket(
  db: Db,
  ticketHash: Buffer,
  sessionId: number,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('push_tickets')
    .values({ ticket_hash: ticketHash, session_id: sessionId, expires_at: expiresAt })
    .execute()
}

/** Takes a ticket: it is gone afterwards, whoever asks again. */
export async function takePushTicket(db: Db, ticketHash: Buffer, now: Date) {
  const ticket = await db
    .deleteFrom('push_tickets')
    .where('ticket_hash', '=', ticketHash)
    .where('expires_at', '>', now)
    .returning('session_id')
    .executeTakeFirst()
  if (!ticket) return undefined
  return db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('id', '=', ticket.session_id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Drops what has run out: sessions, tickets, counted failures. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('push_tickets').where('expires_at', '<=', now).execute()
  await db
    .deleteFrom('login_failures')
    .where('at', '<', new Date(now.getTime() - 86_400_000))
    .execute()
}
