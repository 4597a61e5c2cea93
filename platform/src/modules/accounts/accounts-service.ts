import { createHash, randomBytes } from 'node:crypto'
import { type accounts as contract, type InputOf, timing } from '@busbar/contract'
import type { Bus } from '../../bus/bus.ts'
import type { SignedIn } from '../../http/bind.ts'
import { addressKey } from '../../http/client-address.ts'
import { Failure } from '../../http/failure.ts'
import { accountKey, parseAccountName } from './account-name.ts'
import * as store from './accounts-store.ts'
import { tryPassword } from './lockout.ts'
import { verifyPassword } from './password.ts'

const dayMs = 86_400_000
const sessionDaysMax = 60
/** More sign-ins end the session unused for longest. */
const sessionsPerUserMax = 50
/** More tickets drop the oldest: a page needs one for each time it connects. */
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
}

/** What a person signs in with, checked by the contract. */
export type LoginInput = InputOf<typeof contract.login>

/**
 * Signs a person in. Throws 07010109 (no such account or wrong password: one text, one time taken) and 07010110 with
 * the `minutes` left (too many failures from this address, decision 12): a stranger elsewhere cannot lock anybody out.
 */
export async function login(
  db: store.Db,
  bus: Bus,
  input: LoginInput,
  from: { address: string; now: number },
): Promise<Opened> {
  const account = parseAccountName(input.loginName, input.countryCode)
  const accountHash = hashToken(account ? accountKey(account) : input.loginName.trim().toLowerCase())
  const at = new Date(from.now)
  const door = { accountHash, addressKey: addressKey(from.address) }
  return tryPassword(db, [door], from.now, async () => {
    const user = account ? await store.findUserByAccount(db, account) : undefined
    const right = await verifyPassword(input.loginPwd, user?.password_hash)
    if (!user || !right || user.state !== 'active') throw new Failure('07010109')
    const opened = await db.transaction().execute(async (trx) => {
      await store.removeLoginFailures(trx, door)
      return openSession(trx, user, input, { address: from.address, at })
    })
    bus.publish('rights', {})
    return opened
  })
}

/**
 * Opens a session; another one of the same person on the same terminal ends (decision 15), and beyond 50 the one
 * unused for longest.
 */
export async function openSession(
  db: store.Db,
  user: { id: number; phone: string | null; email: string | null; login_expiry_days: number },
  terminal: Pick<LoginInput, 'terminalUUID' | 'terminalType' | 'terminalName' | 'terminalOS'>,
  from: { address: string; at: Date },
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
    address: from.address,
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
    await store.createRightChange(db, {
      sessionId: session.id,
      userId: user.id,
      reason: 'elsewhere',
      address: from.address,
    })
  }
  return { token, sessionId, userId: user.id, phone: user.phone ?? '', email: user.email ?? '', endsAt }
}

/** The session of a token; its life slides with use, up to 60 days from the sign-in. */
export async function findSession(db: store.Db, token: string, now: number): Promise<SignedIn | undefined> {
  if (token.length > 128) return undefined
  const at = new Date(now)
  const session = await store.findLiveSession(db, hashToken(token), at)
  if (!session) return undefined
  if (now - session.last_seen_at.getTime() > seenEveryMs) {
    const expiresAt = Math.min(now + session.login_expiry_days * dayMs, session.ends_at.getTime())
    await store.updateSessionSeen(db, session.id, at, new Date(expiresAt))
  }
  return { userId: session.user_id, sessionId: session.id }
}

/** Ends one's own session; what is open under it is cut. Throws 404 when it is not one's own or gone. */
export async function endSession(
  db: store.Db,
  bus: Bus,
  userId: number,
  sessionId: number,
  why: { reason: 'logout' | 'elsewhere'; address: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await store.removeSessions(trx, userId, { id: sessionId })
    if (removed.length === 0) throw new Failure('404')
    await store.createRightChange(trx, { sessionId, userId, ...why })
  })
  bus.publish('rights', {})
}

/** A ticket for the push socket: one use, 30 seconds (decision 6). */
export async function createPushTicket(db: store.Db, user: SignedIn, now: number): Promise<string> {
  const ticket = createToken()
  await store.createPushTicket(db, hashToken(ticket), user.sessionId, new Date(now + timing.pushTicketMs))
  await store.removeSurplusPushTickets(db, user.sessionId, ticketsPerSessionMax)
  return ticket
}

/** Who opens a push socket with this `sid`: a ticket first, else a session token. */
export async function findPushSession(db: store.Db, sid: string, now: number): Promise<SignedIn | undefined> {
  if (!sid || sid.length > 128) return undefined
  const session = await store.takePushTicket(db, hashToken(sid), new Date(now))
  if (session) return { userId: session.user_id, sessionId: session.id }
  return findSession(db, sid, now)
}
