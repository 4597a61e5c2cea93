import type { Program } from '@busbar/contract'
import { sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { Db } from './accounts-store.ts'

/** A session to be stored. */
export interface NewSession {
  readonly userId: number
  readonly tokenHash: Buffer
  readonly terminalUuid: string
  readonly terminalType: number
  readonly terminalName: string
  readonly terminalOs: string | null
  readonly program: Program | null
  readonly address: string
  readonly brandId: number
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
      program: session.program,
      address: session.address,
      brand_id: session.brandId,
      created_at: session.at,
      last_seen_at: session.at,
      expires_at: session.expiresAt,
      ends_at: session.endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The valid session of a token, of a person who may sign in. */
export async function findLiveSession(db: Db, tokenHash: Buffer, now: Date) {
  const session = db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.brand_id',
      'sessions.program',
      'sessions.last_seen_at',
      'sessions.ends_at',
      'users.login_expiry_days',
    ])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('users.state', '=', 'active')
  const { rows } = await withKeptPlan('live-session', session).execute(db)
  return rows[0]
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

/** A page of a person's live sessions, the one in use first, then newest first, and how many there are. */
export async function listSessions(
  db: Db,
  user: { readonly userId: number; readonly sessionId: number },
  now: Date,
  from: number,
  count: number,
) {
  const live = db.selectFrom('sessions').where('user_id', '=', user.userId).where('expires_at', '>', now)
  const [rows, total] = await Promise.all([
    live
      .select(['id', 'terminal_type', 'terminal_name', 'address', 'created_at', 'expires_at'])
      .orderBy((where) => where('id', '=', user.sessionId), 'desc')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(from)
      .limit(count)
      .execute(),
    live.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}

/** The terminal of one of a person's sessions. */
export async function findSessionTerminal(db: Db, userId: number, sessionId: number) {
  return db
    .selectFrom('sessions')
    .select('terminal_name')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Sets until when a person's live sessions last, from when each was used last. */
export async function updateSessionExpiry(db: Db, userId: number, days: number, now: Date): Promise<void> {
  await sql`
    update sessions set expires_at = least(last_seen_at + make_interval(days => ${days}), ends_at)
    where user_id = ${userId} and expires_at > ${now}`.execute(db)
}

/** Removes sessions of a user that `pick` names; answers those that were there. */
export async function removeSessions(
  db: Db,
  userId: number,
  pick: { id: number } | { exceptId: number; terminalUuid?: string },
) {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if ('id' in pick) return query.where('id', '=', pick.id).returning(['id']).execute()
  query = query.where('id', '!=', pick.exceptId)
  if (pick.terminalUuid !== undefined) query = query.where('terminal_uuid', '=', pick.terminalUuid)
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

/** Stores a ticket of a session. */
export async function createPushTicket(
  db: Db,
  ticketHash: Buffer,
  sessionId: number,
  expiresAt: Date,
): Promise<boolean> {
  // If another terminal is ending the session, this waits for it, and then writes no ticket.
  const { rows } = await sql`
    insert into push_tickets (ticket_hash, session_id, expires_at)
    select ${ticketHash}, id, ${expiresAt} from sessions where id = ${sessionId} for key share
    returning session_id`.execute(db)
  return rows.length > 0
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

/** Takes a ticket, which opens once. Undefined for a session that ended or a locked person. */
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
    .select(['sessions.id', 'sessions.user_id', 'sessions.brand_id'])
    .where('sessions.id', '=', ticket.session_id)
    .where('sessions.expires_at', '>', now)
    .where('users.state', '=', 'active')
    .executeTakeFirst()
}
