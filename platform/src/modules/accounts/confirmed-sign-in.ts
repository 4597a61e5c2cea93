import type { NewTerminal, Opened } from './accounts-service.ts'
import { type Db, findUserOfSession, lockUnchangedUser } from './accounts-store.ts'
import { enter, type SignInDeps, type SignInFrom } from './sign-in-service.ts'

/**
 * Signs a terminal in that was confirmed in a session, if that session still exists: it passed the second factor, and
 * ends when the password changes. `redeem` uses the code up and answers its person; undefined when it was used.
 */
export async function enterConfirmed(
  deps: Pick<SignInDeps, 'db' | 'outgoing'>,
  sessionId: number | null,
  from: SignInFrom,
  how: 'qr' | 'device',
  redeem: (trx: Db, at: Date) => Promise<NewTerminal | undefined>,
): Promise<Opened | undefined> {
  if (sessionId === null) return undefined
  const at = new Date(from.now)
  return deps.db.transaction().execute(async (trx) => {
    const person = await findUserOfSession(trx, sessionId, at)
    // The person first, as a change of the password does, whose end of the session takes the code with it.
    if (!person || !(await lockUnchangedUser(trx, person))) return undefined
    const terminal = await redeem(trx, at)
    return terminal && enter(deps, trx, person, terminal, from, how)
  })
}
