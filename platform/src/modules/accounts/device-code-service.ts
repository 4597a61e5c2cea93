import { randomInt } from 'node:crypto'
import { accounts as contract, type Program, programs } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { createToken, hashToken, type Opened } from './accounts-service.ts'
import type { Db } from './accounts-store.ts'
import { enterConfirmed } from './confirmed-sign-in.ts'
import * as store from './device-codes-store.ts'
import type { SignInDeps, SignInFrom } from './sign-in-service.ts'

/** Lifetime of a program's code, to be confirmed and redeemed (rules/accounts.md: device codes). */
export const deviceCodeMs = 10 * 60_000
/** Shortest interval between two polls of a program. */
export const askIntervalMs = 5_000
/** A program that keeps the interval may be this much early when the network is quicker than the time before. */
const askJitterMs = 500

const codePrefix = 'dev.'
/** Letters and digits that are not taken for one another. */
const userCodeLetters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const userCodeLength = 8

type TokenAnswer = { readonly opened: Opened } | { readonly state: contract.DeviceCodeState }

/** Creates a code for a program to sign in with (RFC 8628, 3.1 and 3.2). */
export async function createDeviceCode(
  db: Db,
  terminal: { terminalUUID: string; terminalName: string; program?: Program | undefined },
  from: SignInFrom,
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = codePrefix + createToken()
  const userCode = createUserCode()
  await store.createDeviceCode(db, {
    deviceHash: hashToken(deviceCode),
    userCode,
    terminalUuid: terminal.terminalUUID,
    terminalName: terminal.terminalName,
    address: from.address,
    brandId: from.brand.id,
    program: terminal.program ?? null,
    at: new Date(from.now),
    expiresAt: new Date(from.now + deviceCodeMs),
  })
  return { deviceCode, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
}

/** The program that asks to be signed in. Throws DEVICE_CODE_OVER. */
export async function scanDeviceCode(db: Db, actor: Actor, brandId: number, userCode: string) {
  const found = await store.findWaitingCode(db, userCode, brandId, new Date(actor.now))
  if (!found) throw await refuse(db, actor, 'user.device.scan')
  return { terminalName: found.terminal_name, address: found.address, program: programOf(found) }
}

/** A signed-in person lets a program in, or not, once. Throws DEVICE_CODE_OVER. */
export async function confirmDeviceCode(
  db: Db,
  actor: Actor,
  brandId: number,
  { userCode, ok }: { userCode: string; ok: boolean },
): Promise<void> {
  const action = ok ? 'user.device.confirm' : 'user.device.refuse'
  const by = { sessionId: actor.user.sessionId, brandId, now: new Date(actor.now) }
  const decided = await db.transaction().execute(async (trx) => {
    const row = await store.decideDeviceCode(trx, userCode, by, ok ? 'confirmed' : 'refused')
    if (row) {
      const detail = { address: row.address }
      await auditAct(trx, actor, { action, target: row.terminal_name, detail })
    }
    return row !== undefined
  })
  if (!decided) throw await refuse(db, actor, action)
}

/**
 * The state of a program's code; once it was confirmed, signs the program in, once (RFC 8628, 3.4 and 3.5). A program
 * that polls too early gets `slow_down`, without a later next turn.
 */
export async function redeemDeviceCode(
  deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'>,
  deviceCode: string,
  from: SignInFrom,
): Promise<TokenAnswer> {
  const at = new Date(from.now)
  const deviceHash = hashToken(deviceCode)
  const found = await store.findDeviceCode(deps.db, deviceHash, from.brand.id, at)
  if (!found || found.state === 'used') return { state: 'expired' }
  const askedAfter = new Date(from.now - askIntervalMs + askJitterMs)
  if (!(await store.takeAsking(deps.db, deviceHash, { at, askedAfter }))) return { state: 'slowDown' }
  if (found.state === 'waiting' || found.state === 'refused') return { state: found.state }
  const opened = await enterConfirmed(deps, found.session_id, from, 'device', async (trx, now) => {
    const code = await store.redeemDeviceCode(trx, deviceHash, now)
    return (
      code && {
        terminalUUID: code.terminal_uuid,
        terminalType: contract.terminalTypes.api,
        terminalName: code.terminal_name,
        program: programOf(code),
      }
    )
  })
  if (!opened) return { state: 'expired' }
  return { opened }
}

/** @throws for a program that this version does not know: its session would reach everything */
function programOf(row: { readonly program: string | null }): Program | null {
  if (row.program === null) return null
  const program = programs.find((name) => name === row.program)
  if (!program) throw new Error(`a device code names the program ${row.program}`)
  return program
}

async function refuse(db: Db, actor: Actor, action: string): Promise<Failure> {
  await auditAct(db, actor, { action, target: '', result: 'refused' })
  return new Failure('DEVICE_CODE_OVER')
}

function createUserCode(): string {
  const letters = Array.from(
    { length: userCodeLength },
    () => userCodeLetters[randomInt(userCodeLetters.length)],
  )
  return letters.join('')
}
