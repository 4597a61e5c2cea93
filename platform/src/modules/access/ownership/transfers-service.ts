import { type machines as contract, type InputOf, limits, timing } from '@busbar/contract'
import { withTransaction } from '../../../kernel/database/database.ts'
import type { NewFact } from '../../../kernel/facts/fact-kinds.ts'
import type { Caller } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { requireProof } from '../../accounts/index.ts'
import { findNamedPerson, type NamedPerson } from '../../friends/index.ts'
import { givenName, giveToPerson, giveToSpace } from '../give-machine.ts'
import { isBlacklisted, type Trx } from '../grants-store.ts'
import { changeMachine, changeRights, type RightsChange, type RightsDeps } from '../rights-change.ts'
import type { OwnerChangeScope } from './ownership.ts'
import * as store from './transfers-store.ts'

/**
 * Offers a machine to a person or an enterprise; answers the offer's id. Throws PROOF_NEEDED, OWNER_ONLY for an
 * enterprise's, TRANSFER_WAITING, 01010304 no such account or friend, ENTERPRISE_UNKNOWN, TRANSFER_SELF,
 * PERSON_BLACKLISTED (rules/machines.md: transfer).
 */
export async function offerMachine(
  deps: RightsDeps,
  caller: Caller & { readonly sessionId: number },
  { machineID, eid, ...named }: InputOf<typeof contract.offerMachine>,
): Promise<number> {
  await requireProof(deps.db, caller.sessionId, caller.now)
  return changeRights(deps, { ...caller, right: 'akey' }, machineID, async (scope) => {
    const { trx, machine, machineId } = scope
    const fromEid = machine.owner_enterprise_id
    if (fromEid !== null && !(await store.isSpaceOwner(trx, fromEid, caller.userId)))
      throw new Failure('OWNER_ONLY')
    const at = new Date(caller.now)
    await deps.facts.recordAll(trx, await endRunOut(trx, at, machineId))
    if (await store.findOpenTransfer(trx, { machineId }, at)) throw new Failure('TRANSFER_WAITING')
    await store.endLostTransfer(trx, machineId, at)
    const { receiver, asked, enterprise } =
      eid === undefined ? await findPerson(scope, caller, named) : await findSpace(scope, caller, eid)
    const expiresAt = new Date(caller.now + timing.applicationMs)
    const offer = { machineId, from: caller.userId, fromEid, receiver, at, expiresAt }
    const transferId = await store.createTransfer(trx, offer)
    const whom = { from: caller.userId, ...receiver, asked }
    await scope.record({ kind: 'transfer.offered', transferId, ...whom }, { words: { enterprise } })
    return transferId
  })
}

/** The receiver of an offer, and the people who can answer it. */
interface Named {
  readonly receiver: store.Receiver
  readonly asked: readonly number[]
  /** The name of the enterprise it is made to. */
  readonly enterprise?: string
}

async function findPerson(
  { trx, machine, machineId }: RightsChange,
  caller: Caller,
  named: NamedPerson,
): Promise<Named> {
  const user = await findNamedPerson(trx, caller, named)
  if (user.id === machine.owner_user_id) throw new Failure('TRANSFER_SELF')
  if (await isBlacklisted(trx, machineId, user.id)) throw new Failure('PERSON_BLACKLISTED')
  return {
    receiver: { to: user.id, toEid: null },
    asked: [user.id],
  }
}

/** A locked enterprise and one that is leaving are answered as an unknown one is. */
async function findSpace({ trx, machine }: RightsChange, caller: Caller, eid: number): Promise<Named> {
  if (eid === machine.owner_enterprise_id) throw new Failure('TRANSFER_SELF')
  const space = await store.findReceivingSpace(trx, eid)
  if (!space) throw new Failure('ENTERPRISE_UNKNOWN')
  const readers = space.managerIds.filter((userId) => userId !== caller.userId)
  return {
    receiver: { to: null, toEid: eid },
    asked: readers,
    enterprise: space.name,
  }
}

/**
 * Answers an offer, as the person named in it or a manager of the enterprise named, or withdraws it as its maker. On
 * acceptance the machine is theirs at once, and its former Akey becomes an ordinary user of it. Of several answers at
 * the same moment the first one counts. Throws TRANSFER_GONE for an offer that is over or does not concern the caller;
 * 04010115 when their list is full.
 */
export async function answerTransfer(
  deps: RightsDeps,
  caller: Caller,
  { applyId, action }: InputOf<typeof contract.answerTransfer>,
): Promise<void> {
  const place = await store.findTransferPlace(deps.db, applyId)
  if (!place) throw new Failure('TRANSFER_GONE')
  const { machineId, eids } = place
  await changeMachine(deps, { ...caller, eids }, machineId, async (scope) => {
    const { trx, machine } = scope
    const at = new Date(caller.now)
    const offer = await store.findOpenTransfer(trx, { id: applyId }, at)
    if (!offer || !(await mayEnd(trx, offer, caller.userId, action))) throw new Failure('TRANSFER_GONE')
    if (!(await store.isStillTheirs(trx, offer, machine))) throw new Failure('TRANSFER_GONE')
    // An Akey who blacklists the receiver meanwhile does not want to give them the machine.
    if (action === 'accept' && offer.to !== null && (await isBlacklisted(trx, machineId, offer.to)))
      throw new Failure('TRANSFER_GONE')
    if (!(await store.updateTransfer(trx, offer.id, endOf[action], at))) throw new Failure('TRANSFER_GONE')
    const about = { transferId: offer.id, from: offer.from }
    if (action === 'withdraw') return scope.record({ kind: 'transfer.withdrawn', ...about })
    if (action === 'refuse') return scope.record({ kind: 'transfer.refused', ...about })
    const { messages, updates } = await give({ trx, facts: deps.facts }, machineId, offer, at)
    await scope.writeMessages(messages, updates)
    const { to, toEid } = offer
    await scope.record({ kind: 'transfer.accepted', ...about, to, toEid })
  })
  await deps.mailbox.readAsked({ transferId: applyId }, new Date(caller.now))
}

/** Whether a person may answer an offer in this way: its maker withdraws it, its receiver accepts or refuses. */
async function mayEnd(
  trx: Trx,
  offer: store.OpenTransfer,
  userId: number,
  action: contract.TransferAction,
): Promise<boolean> {
  if (action === 'withdraw') return offer.from === userId
  if (offer.toEid === null) return offer.to === userId
  return (await store.findReceivingSpace(trx, offer.toEid))?.managerIds.includes(userId) ?? false
}

async function give(scope: OwnerChangeScope, machineId: number, offer: store.OpenTransfer, at: Date) {
  const giving = { at, max: limits.machinesPerList }
  const toWrite =
    offer.toEid === null
      ? await giveToPerson(scope, machineId, offer.to, giving)
      : await giveToSpace(
          scope,
          machineId,
          { eid: offer.toEid, name: await givenName(scope.trx, offer.from, machineId) },
          giving,
        )
  if (!toWrite) throw new Failure('04010115')
  return toWrite
}

const endOf = { accept: 'accepted', refuse: 'refused', withdraw: 'withdrawn' } as const

/** Ends offers that were not answered in time and notifies their makers. They cannot be accepted before that either. */
export async function expireTransfers(
  { db, facts }: Pick<RightsDeps, 'db' | 'facts'>,
  now: number,
): Promise<void> {
  const at = new Date(now)
  await withTransaction(db, async (trx) => {
    await facts.recordAll(trx, await endRunOut(trx, at))
  })
}

/** Ends the offers that were not answered in time, of one machine or of all; answers the facts of it. */
async function endRunOut(trx: Trx, at: Date, machineId?: number): Promise<NewFact[]> {
  const ended = await store.endExpiredTransfers(trx, at, machineId)
  return ended.map((offer) => ({ kind: 'transfer.ranOut', at: at.getTime(), ...offer }))
}
