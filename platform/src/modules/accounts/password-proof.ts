import { accounts as contract } from '@busbar/contract'
import type { SignedIn } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { hashToken } from './accounts-service.ts'
import { type Db, findUserCredentials } from './accounts-store.ts'
import { anywhere, tryPassword, WrongGuess } from './lockout.ts'
import { removeLoginFailures } from './login-failures-store.ts'
import { verifyPassword } from './password.ts'
import { findSessionProvedAt, updateSessionProved } from './sessions-store.ts'

/**
 * Notes that the session's person just gave their password; answers until when that counts, epoch
 * milliseconds. Wrong ones have a counter of the person's own: strangers who guess at the account can keep nobody who
 * is signed in from an act. Throws PASSWORD_WRONG and 07010110.
 */
export async function provePassword(db: Db, user: SignedIn, password: string, now: number): Promise<number> {
  const person = await findUserCredentials(db, user.userId)
  // A thief of a session must not get five more tries with each address they come from.
  const key = { accountHash: hashToken(`proof of ${user.userId}`), addressKey: anywhere }
  return tryPassword(db, [key], now, async () => {
    if (!(await verifyPassword(password, person.password_hash, 'known')))
      throw new WrongGuess('PASSWORD_WRONG')
    await db.transaction().execute(async (trx) => {
      await removeLoginFailures(trx, key)
      if (!(await updateSessionProved(trx, user, new Date(now)))) throw new Failure('113')
    })
    return now + contract.proofMs
  })
}

/**
 * Until when the session's proved password counts, epoch milliseconds. Throws PROOF_NEEDED when it does not
 * (rules/accounts.md: password proof).
 */
export async function requireProof(db: Db, sessionId: number, now: number): Promise<number> {
  const provedAt = await findSessionProvedAt(db, sessionId)
  const until = (provedAt?.getTime() ?? Number.NEGATIVE_INFINITY) + contract.proofMs
  if (until <= now) throw new Failure('PROOF_NEEDED')
  return until
}
