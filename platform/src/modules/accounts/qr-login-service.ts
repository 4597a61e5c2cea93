import { timingSafeEqual } from 'node:crypto'
import { accounts as contract } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { createToken, hashToken, type NewTerminal, type Opened } from './accounts-service.ts'
import type { Db } from './accounts-store.ts'
import { enterConfirmed } from './confirmed-sign-in.ts'
import * as store from './qr-logins-store.ts'
import type { SignInDeps, SignInFrom } from './sign-in-service.ts'

/** Distinguishes a code from session tokens and push tickets, which have no dot. */
const tokenPrefix = 'qr.'

/** Whether a `sid` of the push socket is a QR code's. */
export const isQrToken = (sid: string): boolean => sid.startsWith(tokenPrefix)

/** Names a code on the bus, where the code itself would be a secret. */
export const qrKey = (qrToken: string): string => hashToken(qrToken).toString('hex')

/** The state of a code; `opened` once, for the browser that may redeem it. */
export interface QrCheck {
  readonly state: contract.QrState
  readonly name?: string
  readonly opened?: Opened
}

/** Creates a code for a browser; only that browser gets `redeemToken` (rules/accounts.md: qr sign-in). */
export async function createQrLogin(
  db: Db,
  terminal: Omit<NewTerminal, 'terminalType'>,
  from: SignInFrom,
): Promise<{ qrToken: string; redeemToken: string }> {
  const qrToken = tokenPrefix + createToken()
  const redeemToken = createToken()
  await store.createQrLogin(db, {
    tokenHash: hashToken(qrToken),
    redeemHash: hashToken(redeemToken),
    brandId: from.brand.id,
    terminalUuid: terminal.terminalUUID,
    terminalName: terminal.terminalName,
    terminalOs: terminal.terminalOS ?? null,
    address: from.address,
    expiresAt: new Date(from.now + contract.qrLoginMs),
  })
  return { qrToken, redeemToken }
}

/**
 * The state of a browser's code; when it was confirmed, signs that browser in, once. For another browser the code has
 * expired.
 */
export async function checkQrLogin(
  deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'>,
  given: {
    qrToken: string
    redeemToken: string | undefined
    terminalUUID: string
    terminalType?: number | undefined
  },
  from: SignInFrom,
): Promise<QrCheck> {
  const at = new Date(from.now)
  const tokenHash = hashToken(given.qrToken)
  const login = await store.findQrLogin(deps.db, tokenHash, at)
  const isItsBrowser =
    login?.terminal_uuid === given.terminalUUID &&
    login.brand_id === from.brand.id &&
    timingSafeEqual(login.redeem_hash, hashToken(given.redeemToken ?? ''))
  if (!login || !isItsBrowser) return { state: 'expired' }
  const state = stateOf(login.state)
  if (state === 'expired') return { state }
  const name = login.name ? { name: login.name } : {}
  if (state !== 'confirmed') return { state, ...name }
  const opened = await enterConfirmed(deps, login.session_id, from, 'qr', async (trx, at) => {
    const login = await store.redeemQrLogin(trx, tokenHash, at)
    return (
      login && {
        terminalUUID: login.terminal_uuid,
        terminalType: given.terminalType ?? from.terminalType,
        terminalName: login.terminal_name,
        terminalOS: login.terminal_os ?? undefined,
      }
    )
  })
  if (!opened) return { state: 'expired' }
  return { state, opened, ...name }
}

/** A signed-in person scans a code; answers which terminal asks, and from where. Throws QR_OVER. */
export async function scanQrLogin(
  { db, bus }: Pick<SignInDeps, 'db' | 'bus'>,
  actor: Actor,
  brandId: number,
  qrToken: string,
): Promise<{ terminalName: string; address: string }> {
  const scanned = await store.scanQrLogin(db, hashToken(qrToken), callerOf(actor, brandId))
  if (!scanned) throw await refuse(db, actor, 'user.qr.scan')
  bus.publish('qrLogin', { key: qrKey(qrToken), state: 'scanned' })
  return { terminalName: scanned.terminal_name, address: scanned.address }
}

/** The person who scanned a code lets it sign in, or not, once. Throws QR_OVER to everybody else. */
export async function confirmQrLogin(
  { db, bus }: Pick<SignInDeps, 'db' | 'bus'>,
  actor: Actor,
  brandId: number,
  given: { qrToken: string; ok: boolean },
): Promise<void> {
  const state = given.ok ? 'confirmed' : 'cancelled'
  const action = given.ok ? 'user.qr.confirm' : 'user.qr.cancel'
  const decided = await db.transaction().execute(async (trx) => {
    const row = await store.decideQrLogin(trx, hashToken(given.qrToken), callerOf(actor, brandId), state)
    if (row) {
      const detail = { address: row.address }
      await auditAct(trx, actor, { action, target: row.terminal_name, detail })
    }
    return row !== undefined
  })
  if (!decided) throw await refuse(db, actor, action)
  bus.publish('qrLogin', { key: qrKey(given.qrToken), state })
}

/** The state of a code for the page that waits for it, and its end in epoch milliseconds. */
export async function findQrState(
  db: Db,
  qrToken: string,
  now: number,
): Promise<{ state: contract.QrState; endsAt: number } | undefined> {
  const login = await store.findQrLogin(db, hashToken(qrToken), new Date(now))
  return login && { state: stateOf(login.state), endsAt: login.expires_at.getTime() }
}

async function refuse(db: Db, actor: Actor, action: string): Promise<Failure> {
  await auditAct(db, actor, { action, target: '', result: 'refused' })
  return new Failure('QR_OVER')
}

const callerOf = ({ user, now }: Actor, brandId: number): store.QrCaller => ({
  sessionId: user.sessionId,
  brandId,
  now: new Date(now),
})

/** One that was used is over for everybody. */
function stateOf(stored: string): contract.QrState {
  return stored === 'waiting' || stored === 'scanned' || stored === 'confirmed' || stored === 'cancelled'
    ? stored
    : 'expired'
}
