import { type machines as contract, type InputOf, limits, timing } from '@busbar/contract'
import { withTransaction } from '../../database/database.ts'
import { Failure } from '../../http/failure.ts'
import { requireProof } from '../accounts/index.ts'
import { findNamedPerson } from '../friends/index.ts'
import type { Outbound } from '../messages/index.ts'
import { createListEntry, isBlacklisted } from './grants-store.ts'
import { changeOwner } from './ownership.ts'
import { type Caller, changeMachine, changeRights, type RightsDeps } from './rights-change.ts'
import * as store from './transfers-store.ts'

/**
 * Offers a machine to somebody; answers the offer's id. Throws PROOF_NEEDED, OWNER_ONLY for an enterprise's,
 * TRANSFER_WAITING, 01010304 no such account or friend, TRANSFER_SELF, PERSON_BLACKLISTED.
 */
export async function offerMachine(
  deps: RightsDeps,
  caller: Caller & { readonly sessionId: number },
  { machineID, ...named }: InputOf<typeof contract.offerMachine>,
): Promise<number> {
  await requireProof(deps.db, caller.sessionId, caller.now)
  return changeRights(deps, { ...caller, right: 'akey' }, machineID, async (scope) => {
    const { trx, machine, machineId } = scope
    const fromEid = machine.owner_enterprise_id
    if (fromEid !== null && !(await store.isSpaceOwner(trx, fromEid, caller.userId)))
      throw new Failure('OWNER_ONLY')
    const at = new Date(caller.now)
    await scope.mail(lettersOfExpiry(await store.endExpiredTransfers(trx, at, machineId)))
    if (await store.findOpenTransfer(trx, { machineId }, at)) throw new Failure('TRANSFER_WAITING')
    const user = await findNamedPerson(trx, caller, named)
    if (user.id === machine.owner_user_id) throw new Failure('TRANSFER_SELF')
    if (await isBlacklisted(trx, machineId, user.id)) throw new Failure('PERSON_BLACKLISTED')
    const expiresAt = new Date(caller.now + timing.applicationMs)
    const offer = { machineId, from: caller.userId, fromEid, to: user.id, at, expiresAt }
    const transferId = await store.createTransfer(trx, offer)
    await scope.note('transferOffered', { transferId, to: user.id })
    await scope.mail([{ userId: user.id, kind: 'transferOffer', transferId }])
    return transferId
  })
}

/**
 * What the person named in an offer says to it, or its maker who takes it back. Accepted, the machine is theirs from that
 * moment, and its former Akey an ordinary user of it. Of answers at the same moment the first holds. Throws TRANSFER_GONE
 * for an offer that is over, or none of the caller's; 04010115 when their list is full.
 */
export async function answerTransfer(
  deps: RightsDeps,
  caller: Caller,
  { applyId, action }: InputOf<typeof contract.answerTransfer>,
): Promise<void> {
  const machineId = await store.findMachineIdByTransfer(deps.db, applyId)
  if (machineId === undefined) throw new Failure('TRANSFER_GONE')
  await changeMachine(deps, caller, machineId, async (scope) => {
    const { trx, machine } = scope
    const at = new Date(caller.now)
    const offer = await store.findOpenTransfer(trx, { id: applyId }, at)
    const answerer = action === 'withdraw' ? offer?.from : offer?.to
    if (!offer || answerer !== caller.userId || !(await store.isStillTheirs(trx, offer, machine)))
      throw new Failure('TRANSFER_GONE')
    // Whom the Akey keeps out meanwhile they do not mean to give the machine to.
    if (action === 'accept' && (await isBlacklisted(trx, machineId, offer.to)))
      throw new Failure('TRANSFER_GONE')
    if (!(await store.updateTransfer(trx, offer.id, endOf[action], at))) throw new Failure('TRANSFER_GONE')
    if (action === 'withdraw') return scope.note('transferWithdrawn', { transferId: offer.id })
    const reply = { userId: offer.from, kind: 'transferReply', transferId: offer.id } as const
    if (action === 'refuse') {
      await scope.note('transferRefused', { transferId: offer.id })
      return scope.mail([reply])
    }
    const { letters, news } = await changeOwner(trx, machineId, { userId: offer.to }, at)
    const entry = { userId: offer.to, machineId, entriesMax: limits.machinesPerList }
    if (!(await createListEntry(trx, entry))) throw new Failure('04010115')
    await scope.tell('transferred', undefined, { transferId: offer.id, from: offer.from, to: offer.to })
    await scope.mail([...letters, reply], news)
  })
}

const endOf = { accept: 'accepted', refuse: 'refused', withdraw: 'withdrawn' } as const

/** Ends offers nobody answered in time and tells who made them. Before that nobody can accept one either. */
export async function expireTransfers(
  { db, mailbox }: Pick<RightsDeps, 'db' | 'mailbox'>,
  now: number,
): Promise<void> {
  const at = new Date(now)
  const outbound: Outbound = await withTransaction(db, async (trx) => {
    const ended = await store.endExpiredTransfers(trx, at)
    return mailbox.post(trx, at, { letters: lettersOfExpiry(ended) })
  })
  mailbox.send(outbound)
}

function lettersOfExpiry(ended: Awaited<ReturnType<typeof store.endExpiredTransfers>>) {
  return ended.map(({ transferId, machineId, from: userId }) => ({
    userId,
    kind: 'transferReply' as const,
    machineId,
    transferId,
  }))
}
