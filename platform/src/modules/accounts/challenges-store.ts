import type { Db } from './accounts-store.ts'

/** The remaining step of a sign-in: a code that was sent, or one of the second factor. */
export type ChallengeKind = 'code' | 'totp'

/** Wrong answers to one challenge (rules/accounts.md: sign-in by code). */
const triesMax = 5

export async function createChallenge(
  db: Db,
  challenge: {
    hash: Buffer
    accountHash: Buffer
    kind: ChallengeKind
    /** A sent code was given before it. */
    codeGiven: boolean
    expiresAt: Date
  },
): Promise<void> {
  await db
    .insertInto('login_challenges')
    .values({
      challenge_hash: challenge.hash,
      account_hash: challenge.accountHash,
      kind: challenge.kind,
      code_given: challenge.codeGiven,
      expires_at: challenge.expiresAt,
    })
    .execute()
}

/** One try at a challenge of an account; undefined when it has run out, or its tries have. */
export async function takeChallengeTry(db: Db, hash: Buffer, accountHash: Buffer, now: Date) {
  const row = await db
    .updateTable('login_challenges')
    .set((expression) => ({ tries: expression('tries', '+', 1) }))
    .where('challenge_hash', '=', hash)
    .where('account_hash', '=', accountHash)
    .where('expires_at', '>', now)
    .where('tries', '<', triesMax)
    .returning(['kind', 'code_given'])
    .executeTakeFirst()
  return row && { kind: row.kind as ChallengeKind, codeGiven: row.code_given }
}

/** Deletes a completed challenge. */
export async function removeChallenge(db: Db, hash: Buffer): Promise<void> {
  await db.deleteFrom('login_challenges').where('challenge_hash', '=', hash).execute()
}
