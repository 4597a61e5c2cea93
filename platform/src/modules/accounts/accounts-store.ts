import { type Kysely, sql } from 'kysely'
import type { DB } from '../../database/schema.gen.ts'
import type { AccountName } from './account-name.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Whoever has this e-mail or phone, with what a sign-in needs to know. */
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

/** A person by id; throws when there is none. */
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

/** What a person signs in with; throws when there is no such person. */
export async function findUserCredentials(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'phone', 'country_code', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

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

/** A session to be stored. */
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

/** Stores a session; answers its id. */
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

/** The session of a token that has not run out, of a person who may sign in. */
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

/** Notes that a session was used, and until when it lives now. */
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

/** Notes that the session's person just proved the password; false when the session is gone. */
export async function updateSessionProved(
  db: Db,
  session: { sessionId: number; userId: number },
  at: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ proved_at: at })
    .where('id', '=', session.sessionId)
    .where('user_id', '=', session.userId)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** When the session's person last proved the password. */
export async function findSessionProvedAt(db: Db, sessionId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('sessions')
    .select('proved_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.proved_at ?? null
}

/** A page of a person's live sessions, newest first, and how many there are. */
export async function listSessions(db: Db, userId: number, now: Date, from: number, count: number) {
  const live = db.selectFrom('sessions').where('user_id', '=', userId).where('expires_at', '>', now)
  const [rows, total] = await Promise.all([
    live
      .select(['id', 'terminal_type', 'terminal_name', 'address', 'created_at', 'expires_at'])
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

/** Removes a person's sessions but `exceptId` and the `keep` last used; answers those that were removed. */
export async function removeSurplusSessions(
  db: Db,
  userId: number,
  options: { exceptId: number; keep: number },
) {
  return db
    .deleteFrom('sessions')
    .where('id', 'in', (where) =>
      where
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '!=', options.exceptId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(options.keep),
    )
    .returning(['id'])
    .execute()
}

/** Tells every door that somebody's rights, or a session, changed (decision 22). */
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

/** Stores a ticket of a session. */
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

/** Removes a session's tickets but the `keep` newest. */
export async function removeSurplusPushTickets(db: Db, sessionId: number, keep: number): Promise<void> {
  await db
    .deleteFrom('push_tickets')
    .where('ticket_hash', 'in', (where) =>
      where
        .selectFrom('push_tickets')
        .select('ticket_hash')
        .where('session_id', '=', sessionId)
        .orderBy('expires_at', 'desc')
        .offset(keep),
    )
    .execute()
}

/** Takes a ticket: it is gone afterwards, whoever asks again. Nothing for a session that ended or a locked person. */
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
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_id'])
    .where('sessions.id', '=', ticket.session_id)
    .where('sessions.expires_at', '>', now)
    .where('users.state', '=', 'active')
    .executeTakeFirst()
}

/** Drops what has run out: sessions, tickets, counted failures of people and of machine passwords. */
export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('push_tickets').where('expires_at', '<=', now).execute()
  const dayAgo = new Date(now.getTime() - 86_400_000)
  await db.deleteFrom('login_failures').where('at', '<', dayAgo).execute()
  await db.deleteFrom('machine_password_failures').where('at', '<', dayAgo).execute()
}
