import { accounts as contract } from '@busbar/contract'
import type { SignedIn } from '../../kernel/http/bind.ts'
import { addressKey } from '../../kernel/http/client-address.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccountName, accountKey } from './account-name.ts'
import { hashToken } from './accounts-service.ts'
import { type Db, findUserCredentials } from './accounts-store.ts'
import { anywhere, tryPassword, WrongGuess } from './lockout.ts'
import { removeLoginFailures } from './login-failures-store.ts'
import { verifyPassword } from './password.ts'
import { findSessionProvedAt, updateSessionProved } from './sessions-store.ts'

/**
 * Notes that the session's person just gave their password; answers until when that counts, epoch
 * milliseconds. Wrong ones count as those of a sign-in do, under each name the person signs in by. Throws
 * PASSWORD_WRONG and 07010110.
 */
export async function provePassword(
  db: Db,
  user: SignedIn,
  password: string,
  from: { address: string; now: number },
): Promise<number> {
  const person = await findUserCredentials(db, user.userId)
  const keys = [
    ...namesOf(person).map((name) => ({
      accountHash: hashToken(accountKey(name)),
      addressKey: addressKey(from.address),
    })),
    // A thief of a session must not get five more tries with each address they come from.
    { accountHash: hashToken(`proof of ${user.userId}`), addressKey: anywhere },
  ]
  return tryPassword(db, keys, from.now, async () => {
    if (!(await verifyPassword(password, person.password_hash, 'known')))
      throw new WrongGuess('PASSWORD_WRONG')
    await db.transaction().execute(async (trx) => {
      for (const key of keys) await removeLoginFailures(trx, key)
      if (!(await updateSessionProved(trx, user, new Date(from.now)))) throw new Failure('113')
    })
    return from.now + contract.proofMs
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

function namesOf(person: {
  email: string | null
  phone: string | null
  country_code: string | null
}): AccountName[] {
  const { email, phone, country_code: countryCode } = person
  return [...(email ? [{ email }] : []), ...(phone && countryCode ? [{ phone, countryCode }] : [])]
}
