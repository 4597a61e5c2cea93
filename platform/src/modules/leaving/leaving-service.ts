import { type accounts as contract, timing } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import { recordRightChange } from '../../kernel/rights/right-changes.ts'
import { type AccountName, beginLeaving, endSessions, requireProof } from '../accounts/index.ts'
import { type CodeBrand, type CodeDeps, takeCode } from '../accounts/verification-codes/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { formatDeletion } from './leaving-message.ts'
import * as store from './leaving-store.ts'

const codes = {
  lastOwner: 'ACCOUNT_LAST_OWNER',
  held: 'ACCOUNT_MACHINES_HELD',
  transfer: 'ACCOUNT_TRANSFER_OPEN',
} as const satisfies Record<contract.LeavingReason, string>

/** The account that gets the code to confirm a person's deletion: the e-mail, or the phone of a person without one. */
export function confirmingAccount(person: store.Leaver): AccountName {
  const { email, phone, country_code: countryCode } = person
  if (email !== null) return { email }
  if (phone === null || countryCode === null) throw new Error(`Person ${person.id} has no account`)
  return { phone, countryCode }
}

/**
 * Begins a person's leaving: from this moment every session ends and no right holds, and within 14 days signing in takes
 * it back. Answers until when. Throws PROOF_NEEDED, CODE_WRONG, CODE_CLOSED and, under the locks of all that could change
 * it, ACCOUNT_LAST_OWNER, ACCOUNT_MACHINES_HELD and ACCOUNT_TRANSFER_OPEN; the code is then not used up
 * (rules/accounts.md: deletion of an account).
 */
export async function deleteAccount(
  codeDeps: CodeDeps,
  code: string,
  from: Actor & { readonly brand: CodeBrand },
): Promise<Date> {
  const { user, address, now, brand } = from
  await requireProof(codeDeps.db, user.sessionId, now)
  const person = await store.findLeaver(codeDeps.db, user.userId)
  const until = new Date(now + timing.leavingMs)
  const attempt = {
    account: confirmingAccount(person),
    purpose: 'deleteAccount',
    code,
    address,
    now,
  } as const
  await takeCode(codeDeps.db, attempt, async (trx) => {
    await store.lockHoldings(trx, user.userId)
    const [hindrance] = await store.listHindrances(trx, user.userId, new Date(now))
    if (hindrance) throw new Failure(codes[hindrance.reason])
    // Before the sessions end: with the session goes the name of its terminal.
    await auditAct(trx, from, { action: 'user.deletion.ask', target: '', detail: { until } })
    if (!(await beginLeaving(trx, user.userId, until))) throw new Failure('113')
    await endSessions(trx, user.userId, { reason: 'leaving', address })
    await recordRightChange(trx, { userId: user.userId, reason: 'leaving', address })
    const message = formatDeletion(person, until, { brand, publicUrl: codeDeps.publicUrl })
    if (message) await codeDeps.outgoing.queue(trx, message)
  })
  return until
}
