import { createHash, randomBytes } from 'node:crypto'
import { type Program, timing } from '@busbar/contract'
import type { SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import type { Db } from './accounts-store.ts'
import { createKnownTerminal } from './known-terminals-store.ts'
import * as store from './sessions-store.ts'

const dayMs = 86_400_000
const sessionDaysMax = 60
/** More sign-ins end the session unused for longest (rules/accounts.md: sessions). */
const sessionsPerUserMax = 50
/** More tickets drop the oldest: a page needs one for each time it connects (rules/accounts.md: push tickets). */
const ticketsPerSessionMax = 20
const seenEveryMs = 5 * 60_000

/** SHA-256, as tokens and tickets are stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** 256 random bits: a session token, a ticket, a machine’s secret. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/** A session just opened. `token` is answered this once; the platform keeps its SHA-256. */
export interface Opened {
  readonly token: string
  readonly sessionId: number
  readonly userId: number
  readonly phone: string
  readonly email: string
  /** When it is over however much it is used: 60 days from the sign-in. */
  readonly endsAt: Date
  /** The person signed in before, and never on this terminal. */
  readonly isNewTerminal: boolean
}

/** The browser or program that a person signs in on, as it calls itself. */
export interface NewTerminal {
  readonly terminalUUID: string
  readonly terminalType: number
  readonly terminalName: string
  readonly terminalOS?: string | undefined
  /** Its session reaches only the calls of this program; without one, those of a person. */
  readonly program?: Program | null
}

/**
 * Opens a session; another one of the same person on the same terminal ends, and beyond 50 the one
 * unused for longest. It belongs to the brand it begins on.
 */
export async function openSession(
  db: Db,
  user: { id: number; phone: string | null; email: string | null; login_expiry_days: number },
  terminal: NewTerminal,
  from: { address: string; at: Date; brandId: number },
): Promise<Opened> {
  const token = createToken()
  const endsAt = new Date(from.at.getTime() + sessionDaysMax * dayMs)
  const expiresAt = new Date(from.at.getTime() + user.login_expiry_days * dayMs)
  const sessionId = await store.createSession(db, {
    userId: user.id,
    tokenHash: hashToken(token),
    terminalUuid: terminal.terminalUUID,
    terminalType: terminal.terminalType,
    terminalName: terminal.terminalName,
    terminalOs: terminal.terminalOS ?? null,
    program: terminal.program ?? null,
    address: from.address,
    brandId: from.brandId,
    at: from.at,
    expiresAt,
    endsAt,
  })
  const replaced = await store.removeSessions(db, user.id, {
    terminalUuid: terminal.terminalUUID,
    exceptId: sessionId,
  })
  const surplus = await store.removeSurplusSessions(db, user.id, {
    exceptId: sessionId,
    keep: sessionsPerUserMax - 1,
  })
  for (const session of [...replaced, ...surplus]) {
    await recordRightChange(db, {
      sessionId: session.id,
      userId: user.id,
      reason: 'elsewhere',
      address: from.address,
    })
  }
  const isNewTerminal = await createKnownTerminal(db, user.id, terminal.terminalUUID, from.at)
  const { phone, email } = user
  return { token, sessionId, userId: user.id, phone: phone ?? '', email: email ?? '', endsAt, isNewTerminal }
}

/**
 * The session of a token on a brand's host; its life slides with use, up to 60 days from the sign-in. On another
 * brand's host the token is unknown. The session of a program is unknown too, but to a caller that admits the program:
 * whatever finds a session refuses it unless it says otherwise (rules/accounts.md: programs).
 */
export async function findSession(
  db: Db,
  token: string,
  now: number,
  brandId: number,
  admitted: readonly Program[] = [],
): Promise<SignedIn | undefined> {
  if (token.length > 128) return undefined
  const at = new Date(now)
  const session = await store.findLiveSession(db, hashToken(token), at)
  if (session?.brand_id !== brandId) return undefined
  const program = admitted.find((one) => one === session.program)
  if (session.program !== null && !program) return undefined
  if (now - session.last_seen_at.getTime() > seenEveryMs) {
    const expiresAt = Math.min(now + session.login_expiry_days * dayMs, session.ends_at.getTime())
    await store.updateSessionSeen(db, session.id, at, new Date(expiresAt))
  }
  return { userId: session.user_id, sessionId: session.id, ...(program ? { program } : {}) }
}

/**
 * Ends one of the caller's sessions and everything open under it. Throws 404 if the session is gone or somebody else's.
 */
export async function endSession(db: Db, actor: Actor, sessionId: number): Promise<void> {
  const { user, address } = actor
  const isOwn = sessionId === user.sessionId
  await db.transaction().execute(async (trx) => {
    // Noted first: with the session goes the name of its terminal.
    const ended = await store.findSessionTerminal(trx, user.userId, sessionId)
    if (!ended) throw new Failure('404')
    await auditAct(
      trx,
      actor,
      isOwn
        ? { action: 'user.logout', target: '' }
        : { action: 'user.terminal.remove', target: ended.terminal_name },
    )
    const removed = await store.removeSessions(trx, user.userId, { id: sessionId })
    if (removed.length === 0) throw new Failure('404')
    const reason = isOwn ? 'logout' : 'elsewhere'
    await recordRightChange(trx, { sessionId, userId: user.userId, reason, address })
  })
}

/** Ends all sessions of the caller but the caller's own; answers how many. */
export async function endOtherSessions(db: Db, actor: Actor): Promise<number> {
  const { userId, sessionId } = actor.user
  const count = await db.transaction().execute(async (trx) => {
    const why = { reason: 'elsewhere', address: actor.address } as const
    const ended = await endSessions(trx, userId, { ...why, exceptId: sessionId })
    if (ended > 0)
      await auditAct(trx, actor, { action: 'user.terminal.removeOthers', target: '', detail: { ended } })
    return ended
  })
  return count
}

/**
 * Ends a person's sessions, all or all but one, in the caller's transaction; answers how many. Their pages are notified
 * after the commit (rules/accounts.md: ended sessions).
 */
export async function endSessions(
  trx: Db,
  userId: number,
  why: {
    reason: 'elsewhere' | 'passwordChanged' | 'locked' | 'leaving'
    address?: string
    exceptId?: number
  },
): Promise<number> {
  const { exceptId = 0, ...reason } = why
  const removed = await store.removeSessions(trx, userId, { exceptId })
  for (const { id } of removed) await recordRightChange(trx, { sessionId: id, userId, ...reason })
  return removed.length
}

/** A ticket for the push socket: one use, 30 seconds. Throws 113 when the session ended meanwhile. */
export async function createPushTicket(db: Db, user: SignedIn, now: number): Promise<string> {
  const ticket = createToken()
  const expiresAt = new Date(now + timing.pushTicketMs)
  if (!(await store.createPushTicket(db, hashToken(ticket), user.sessionId, expiresAt)))
    throw new Failure('113')
  await store.removeSurplusPushTickets(db, user.sessionId, ticketsPerSessionMax)
  return ticket
}

/** The session that opens a push socket on a brand's host with this `sid`: a ticket first, else a session token. */
export async function findPushSession(
  db: Db,
  sid: string,
  now: number,
  brandId: number,
): Promise<SignedIn | undefined> {
  if (!sid || sid.length > 128) return undefined
  const session = await store.takePushTicket(db, hashToken(sid), new Date(now))
  if (!session) return findSession(db, sid, now, brandId)
  return session.brand_id === brandId ? { userId: session.user_id, sessionId: session.id } : undefined
}
