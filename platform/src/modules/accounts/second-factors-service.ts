import type { SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { auditAct } from '../audit/index.ts'
import type { Brand } from '../brands/index.ts'
import { hashToken } from './accounts-service.ts'
import { type Db, findUser } from './accounts-store.ts'
import { anywhere, tryPassword, WrongGuess } from './lockout.ts'
import { requireProof } from './password-proof.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import * as store from './second-factors-store.ts'
import { createTotpSecret, findTotpStep, formatOtpauthUrl, formatTotpSecret } from './totp.ts'

/** The parts that the calls about the second factor use. */
export interface SecondFactorDeps {
  readonly db: Db
  readonly box: SecretBox
}

/** The caller, their address, and the instant. */
export interface Caller {
  readonly user: SignedIn
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

const ownerOf = (userId: number): string => `second factor of ${userId}`

/**
 * Makes a secret for an authenticator; it counts once a code of it is confirmed. Throws PROOF_NEEDED, and TWO_FACTOR_ON
 * where one is confirmed.
 */
export async function setUpSecondFactor(
  { db, box }: SecondFactorDeps,
  caller: Caller,
  brand: Brand,
): Promise<{ otpauthUrl: string; secret: string }> {
  const { userId, sessionId } = caller.user
  await requireProof(db, sessionId, caller.now)
  const secret = createTotpSecret()
  const sealed = box.seal(secret, ownerOf(userId))
  if (!(await store.replaceUnconfirmed(db, userId, sealed, new Date(caller.now))))
    throw new Failure('TWO_FACTOR_ON')
  const { email, phone, name } = await findUser(db, userId)
  return {
    otpauthUrl: formatOtpauthUrl(secret, { issuer: brand.platformName.en, account: email ?? phone ?? name }),
    secret: formatTotpSecret(secret),
  }
}

/**
 * Turns the second factor on with a first code; answers the recovery codes, this once. Throws PROOF_NEEDED,
 * TWO_FACTOR_OFF without a secret, TWO_FACTOR_ON, 07010112 for a wrong code, 07010110 after too many.
 */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  caller: Caller,
  code: string,
): Promise<string[]> {
  const { db } = deps
  const { userId, sessionId } = caller.user
  await requireProof(db, sessionId, caller.now)
  const factor = await store.findSecondFactor(db, userId)
  if (!factor) throw new Failure('TWO_FACTOR_OFF')
  if (factor.confirmed_at) throw new Failure('TWO_FACTOR_ON')
  return guardGuesses(db, caller, async () => {
    if (!(await checkTotp(deps, userId, code, caller.now))) throw new WrongGuess('07010112')
    const codes = createRecoveryCodes()
    await db.transaction().execute(async (trx) => {
      if (!(await store.confirmSecondFactor(trx, userId, new Date(caller.now))))
        throw new Failure('TWO_FACTOR_ON')
      await store.createRecoveryCodes(trx, userId, codes.map(hashRecoveryCode))
      await auditAct(trx, caller, { action: 'user.twoFactor.add', target: await targetOf(trx, userId) })
    })
    return codes
  })
}

/**
 * Turns the second factor off with one of its codes. Throws PROOF_NEEDED, TWO_FACTOR_OFF, 07010112 for a wrong code,
 * 07010110 after too many.
 */
export async function removeSecondFactor(
  deps: SecondFactorDeps,
  caller: Caller,
  code: string,
): Promise<void> {
  const { db } = deps
  const { userId, sessionId } = caller.user
  await requireProof(db, sessionId, caller.now)
  if (!(await store.hasSecondFactor(db, userId))) throw new Failure('TWO_FACTOR_OFF')
  await guardGuesses(db, caller, async () => {
    if (!(await checkSecondFactor(deps, userId, code, caller.now))) throw new WrongGuess('07010112')
    await db.transaction().execute(async (trx) => {
      if (!(await store.removeSecondFactor(trx, userId))) throw new Failure('TWO_FACTOR_OFF')
      await auditAct(trx, caller, { action: 'user.twoFactor.remove', target: await targetOf(trx, userId) })
    })
  })
}

/** Whether a code of the authenticator, or a recovery code, is right; either is used up by that. */
export async function checkSecondFactor(
  deps: SecondFactorDeps,
  userId: number,
  code: string,
  now: number,
): Promise<boolean> {
  if (/^\d{6}$/.test(code.replace(/\s/g, ''))) return checkTotp(deps, userId, code, now)
  return store.takeRecoveryCode(deps.db, userId, hashRecoveryCode(code))
}

/** A code counts once (RFC 6238, 5.2), so that a code seen over a shoulder is of no use. */
async function checkTotp(
  { db, box }: SecondFactorDeps,
  userId: number,
  code: string,
  now: number,
): Promise<boolean> {
  const factor = await store.findSecondFactor(db, userId)
  const secret = factor && box.open(factor.secret_sealed, ownerOf(userId))
  const step = secret && findTotpStep(secret, code.replace(/\s/g, ''), now)
  return step !== undefined && store.takeStep(db, userId, step)
}

/**
 * Guesses of codes are limited like those of passwords: the same few tries, counted under a separate name and over all
 * addresses, because only the person's own sessions can use them up.
 */
function guardGuesses<T>(db: Db, caller: Caller, check: () => Promise<T>): Promise<T> {
  const key = {
    accountHash: hashToken(ownerOf(caller.user.userId)),
    addressKey: anywhere,
  }
  return tryPassword(db, [key], caller.now, check)
}

async function targetOf(db: Db, userId: number): Promise<string> {
  const { email, phone, name } = await findUser(db, userId)
  return email ?? phone ?? name
}
