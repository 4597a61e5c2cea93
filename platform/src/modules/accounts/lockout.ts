import { Failure } from '../../kernel/http/failure.ts'
import type { Db } from './accounts-store.ts'
import * as store from './login-failures-store.ts'

const minuteMs = 60_000
/**
 * Wrong passwords of an account from one address before it is refused there, and how long each counts
 * (rules/accounts.md: wrong passwords).
 */
const lockout = { failuresMax: 5, windowMs: 15 * minuteMs }
/** In place of an address, where only signed-in people guess: their tries count together from all addresses. */
export const anywhere = '*'

/** A wrong password or code; nothing else counts as a try. */
export class WrongGuess extends Failure {
  override name = 'WrongGuess'
}

/**
 * Checks a password or a code, and counts wrong ones under each of these keys. Throws 07010110 with the `minutes` left
 * after too many wrong ones, and the errors of `check`.
 */
export async function tryPassword<T>(
  db: Db,
  keys: readonly store.LoginAttemptKey[],
  now: number,
  check: (failureIds: readonly number[]) => Promise<T>,
): Promise<T> {
  // Counted before it is checked: of many tries at once each sees those before it.
  const failureIds: number[] = []
  for (const key of keys) failureIds.push(await store.createLoginFailure(db, key, new Date(now)))
  try {
    for (const [place, key] of keys.entries()) await checkLockout(db, key, failureIds[place] ?? 0, now)
    return await check(failureIds)
  } catch (error) {
    // Only a wrong guess counts: people who have to wait do not lengthen their own lock.
    if (!(error instanceof WrongGuess)) for (const id of failureIds) await store.removeLoginFailure(db, id)
    throw error
  }
}

async function checkLockout(
  db: Db,
  key: store.LoginAttemptKey,
  ownFailureId: number,
  now: number,
): Promise<void> {
  const failures = await store.listLoginFailures(db, key, {
    since: new Date(now - lockout.windowMs),
    exceptId: ownFailureId,
    max: lockout.failuresMax,
  })
  const oldest = failures[lockout.failuresMax - 1]
  if (!oldest) return
  const leftMs = oldest.at.getTime() + lockout.windowMs - now
  throw new Failure('07010110', { data: { minutes: Math.max(1, Math.ceil(leftMs / minuteMs)) } })
}
