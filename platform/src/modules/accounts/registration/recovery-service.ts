import type { SignedIn } from '../../../kernel/http/bind.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { auditAct, writeAudit } from '../../audit/index.ts'
import {
  type AccountName,
  endSessions,
  findUser,
  findUserByAccount,
  hashPassword,
  isCommonPassword,
  requireProof,
} from '../index.ts'
import { type CodeDeps, hashAccount, takeTicket } from '../verification-codes/index.ts'
import { type Addressee, formatNotice, type Notice, noticeOfChange } from './notice-message.ts'
import type { Caller } from './registration-service.ts'
import * as store from './registration-store.ts'

const uniqueViolation = '23505'

/**
 * Sets the password of an account that was checked by a code; signs out every terminal but `own`. A second factor stays
 * on. Takes as long for an account that does not exist. Throws TICKET_NEEDED and PASSWORD_COMMON (rules/accounts.md:
 * tickets).
 */
export async function resetPassword(
  codeDeps: CodeDeps,
  request: { account: AccountName; password: string; ticket: string | undefined },
  from: Caller & { own: SignedIn | undefined },
): Promise<void> {
  const { account, password, ticket } = request
  const { now, address, own } = from
  if (isCommonPassword(password)) throw new Failure('PASSWORD_COMMON')
  const passwordHash = await hashPassword(password)
  await codeDeps.db.transaction().execute(async (trx) => {
    const isChecked = await takeTicket(trx, { ticket, purpose: 'resetPassword', account, now })
    const user = await findUserByAccount(trx, account)
    if (!isChecked || !user) throw new Failure('TICKET_NEEDED')
    await store.updatePassword(trx, user.id, passwordHash)
    const exceptId = own?.userId === user.id ? own.sessionId : 0
    await endSessions(trx, user.id, { reason: 'passwordChanged', address, exceptId })
    await store.removeLoginFailures(trx, namesOf(user).map(hashAccount))
    await writeAudit(trx, {
      actorUserId: user.id,
      action: 'user.password.reset',
      target: '',
      address,
      result: 'ok',
      at: new Date(now),
    })
    await tell(codeDeps, trx, 'passwordChanged', user, from)
  })
}

/**
 * Gives the signed-in person a phone or e-mail that they proved by a code; the former one is notified. Throws
 * PROOF_NEEDED without the password within ten minutes, TICKET_NEEDED, ACCOUNT_SAME and ACCOUNT_TAKEN.
 */
export async function changeAccount(
  codeDeps: CodeDeps,
  request: { account: AccountName; ticket: string | undefined },
  from: Caller & { user: SignedIn },
): Promise<void> {
  const { account, ticket } = request
  const { now, user } = from
  await requireProof(codeDeps.db, user.sessionId, now)
  const person = await findUser(codeDeps.db, user.userId)
  if (namesOf(person).some((name) => hashAccount(name).equals(hashAccount(account)))) {
    throw new Failure('ACCOUNT_SAME')
  }
  const work = codeDeps.db.transaction().execute(async (trx) => {
    if (!(await takeTicket(trx, { ticket, purpose: 'changeAccount', account, now }))) {
      throw new Failure('TICKET_NEEDED')
    }
    await store.updateAccount(trx, user.userId, account, new Date(now))
    await auditAct(trx, from, {
      action: 'user.account.update',
      target: 'email' in account ? 'email' : 'phone',
    })
    await tell(codeDeps, trx, noticeOfChange(account, person), person, from)
  })
  await work.catch((error) => {
    throw (error as { code?: unknown }).code === uniqueViolation ? new Failure('ACCOUNT_TAKEN') : error
  })
}

/** The accounts a person signs in with. */
function namesOf(person: {
  email: string | null
  phone: string | null
  country_code: string | null
}): AccountName[] {
  const { email, phone, country_code: countryCode } = person
  return [...(email ? [{ email }] : []), ...(phone && countryCode ? [{ phone, countryCode }] : [])]
}

async function tell(
  codeDeps: CodeDeps,
  trx: store.Db,
  notice: Notice,
  person: Addressee,
  { brand }: Caller,
): Promise<void> {
  const message = formatNotice(notice, person, { brand, publicUrl: codeDeps.publicUrl })
  if (message) await codeDeps.outgoing.queue(trx, message)
}
