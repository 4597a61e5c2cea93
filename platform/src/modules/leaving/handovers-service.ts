import { type enterprises as contract, type InputOf, timing } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findReceivingSpace } from '../access/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { findNamedPerson } from '../friends/index.ts'
import type { Mailbox, NewMessage } from '../messages/index.ts'
import { lockEnterprises } from '../spaces/index.ts'
import * as store from './handovers-store.ts'
import type { Db } from './leaving-store.ts'
import { listOwners, lockSpaceOf } from './spaces-store.ts'

export interface HandoverDeps {
  readonly db: Db
  readonly mailbox: Mailbox
}

/**
 * Asks a person or an enterprise to take an enterprise's devices after its deletion; answers the id of the request.
 * Throws OWNER_ONLY, HANDOVER_OPEN, 01010304 no such account or friend, ENTERPRISE_UNKNOWN and HANDOVER_SELF
 * (rules/enterprises.md: hand-over).
 */
export async function askHandover(
  { db, mailbox }: HandoverDeps,
  { eid, machinesTo }: InputOf<typeof contract.askHandover>,
  from: Actor,
): Promise<number> {
  const { user, now } = from
  const at = new Date(now)
  return withTransaction(db, async (trx) => {
    const space = await requireOwner(trx, eid, user.userId)
    if (await store.findOpenHandover(trx, { eid }, at)) throw new Failure('HANDOVER_OPEN')
    const { taker, readers, receiver } = await findTaker(trx, from, eid, machinesTo)
    // A request whose receiver can not answer any more, or that just expired.
    const lost = await store.endHandovers(trx, { eid }, 'withdrawn')
    const expiresAt = new Date(now + timing.handoverMs)
    const wish = { eid, taker, askedBy: user.userId, at, expiresAt }
    const handoverId = await store.createHandover(trx, wish)
    const detail = { eid, handoverId, ...detailOf(taker) }
    await auditAct(trx, from, { action: 'enterprise.handover.ask', target: String(eid), detail })
    const owners = await listOwners(trx, eid)
    const params = {
      person: owners.find((owner) => owner.id === user.userId)?.name ?? '',
      enterprise: space.name,
      count: await store.countDevices(trx, eid),
      until: expiresAt.getTime(),
    }
    const messages = readers.map(
      (userId): NewMessage =>
        receiver === undefined
          ? { userId, kind: 'handoverAsked', handoverId, params }
          : { userId, kind: 'handoverSpaceAsked', handoverId, params: { ...params, receiver } },
    )
    const offs = await offMessages(trx, lost, space.name)
    await mailbox.write(trx, at, { messages: [...offs, ...messages] })
    return handoverId
  })
}

/** Withdraws the request; a receiver who accepted is notified. Throws OWNER_ONLY and HANDOVER_GONE. */
export async function withdrawHandover(
  { db, mailbox }: HandoverDeps,
  eid: number,
  from: Actor,
): Promise<void> {
  const at = new Date(from.now)
  const ended = await withTransaction(db, async (trx) => {
    const space = await requireOwner(trx, eid, from.user.userId)
    if (!(await store.findOpenHandover(trx, { eid }, at))) throw new Failure('HANDOVER_GONE')
    const ended = await store.endHandovers(trx, { eid }, 'withdrawn')
    await auditAct(trx, from, {
      action: 'enterprise.handover.takeBack',
      target: String(eid),
      detail: { eid },
    })
    await mailbox.write(trx, at, { messages: await offMessages(trx, ended, space.name) })
    return ended
  })
  for (const { id } of ended) await mailbox.readAsked({ handoverId: id }, at)
}

/**
 * Answers a request, as its receiver or a manager of the receiving enterprise, and notifies the owners. Accepting needs
 * room in the list for all devices. Throws HANDOVER_GONE and 04010115.
 */
export async function answerHandover(
  { db, mailbox }: HandoverDeps,
  { id, action }: InputOf<typeof contract.answerHandover>,
  from: Actor,
): Promise<void> {
  const { user, now } = from
  const at = new Date(now)
  const eids = await store.findHandoverSpaces(db, id)
  if (!eids) throw new Failure('HANDOVER_GONE')
  await withTransaction(db, async (trx) => {
    await lockEnterprises(trx, eids)
    const handover = await store.findOpenHandover(trx, { id }, at)
    const enterprise = handover && (await store.findSpaceName(trx, handover.eid))
    if (handover?.state !== 'asked' || enterprise === undefined) throw new Failure('HANDOVER_GONE')
    if (!(await mayAnswer(trx, handover, user.userId))) throw new Failure('HANDOVER_GONE')
    const { eid } = handover
    if (action === 'accept') {
      if (!(await store.hasRoom(trx, handover, await store.countDevices(trx, eid))))
        throw new Failure('04010115')
      if (!(await store.acceptHandover(trx, id))) throw new Failure('HANDOVER_GONE')
    } else await store.endHandovers(trx, { eid }, 'refused')
    const detail = { eid, handoverId: id, ...detailOf(handover) }
    await auditAct(trx, from, { action: `enterprise.handover.${action}`, target: String(eid), detail })
    const person = await nameOf(trx, { ...handover, wasAccepted: action === 'accept' })
    const answer = action === 'accept' ? ('accepted' as const) : ('refused' as const)
    await mailbox.write(trx, at, {
      messages: await ownerMessages(trx, eid, { person, enterprise, answer }),
    })
  })
  await mailbox.readAsked({ handoverId: id }, at)
}

/** Ends requests that were not answered or used in time, and notifies both sides. */
export async function expireHandovers({ db, mailbox }: HandoverDeps, now: number): Promise<void> {
  const at = new Date(now)
  await withTransaction(db, async (trx) => {
    const messages: NewMessage[] = []
    for (const ended of await store.endHandovers(trx, { expiredAt: at }, 'expired')) {
      const enterprise = await store.findSpaceName(trx, ended.eid)
      if (enterprise === undefined) continue
      const person = await nameOf(trx, ended)
      messages.push(...(await ownerMessages(trx, ended.eid, { person, enterprise, answer: 'ended' })))
      messages.push(...(await offMessages(trx, [ended], enterprise)))
    }
    await mailbox.write(trx, at, { messages })
  })
}

/** The messages to receivers who accepted that the devices do not come. */
export async function offMessages(
  trx: Db,
  ended: readonly store.EndedHandover[],
  enterprise: string,
): Promise<NewMessage[]> {
  const messages: NewMessage[] = []
  for (const handover of ended) {
    if (!handover.wasAccepted) continue
    for (const userId of await listReaders(trx, handover))
      messages.push({ userId, kind: 'handoverOff', params: { enterprise } })
  }
  return messages
}

/** The people who are notified of the result for the devices; empty: the receiver is deleted, locked or leaving. */
export async function listReaders(db: Db, { toUserId, toEid }: store.Taker): Promise<number[]> {
  if (toEid !== null) return (await findReceivingSpace(db, toEid))?.managerIds ?? []
  return (await store.findActivePerson(db, toUserId)) ? [toUserId] : []
}

export const detailOf = ({ toUserId, toEid }: store.Taker) => (toEid === null ? { to: toUserId } : { toEid })

/** The enterprise under its lock, with its name. Throws 403 and OWNER_ONLY. */
export async function requireOwner(trx: Db, eid: number, userId: number): Promise<{ name: string }> {
  const space = await lockSpaceOf(trx, eid, userId)
  if (space?.state !== 'active') throw new Failure('403')
  if (space.role !== 'owner') throw new Failure('OWNER_ONLY')
  return space
}

async function findTaker(
  trx: Db,
  { user, now }: Actor,
  ownEid: number,
  { eid, ...named }: InputOf<typeof contract.askHandover>['machinesTo'],
): Promise<{ taker: store.Taker; readers: readonly number[]; receiver?: string }> {
  if (eid === undefined) {
    const { id } = await findNamedPerson(trx, { userId: user.userId, now }, named)
    return { taker: { toUserId: id, toEid: null }, readers: [id] }
  }
  if (eid === ownEid) throw new Failure('HANDOVER_SELF')
  // A locked enterprise and one that is leaving are answered as an unknown one is.
  const space = await findReceivingSpace(trx, eid)
  if (!space) throw new Failure('ENTERPRISE_UNKNOWN')
  return { taker: { toUserId: null, toEid: eid }, readers: space.managerIds, receiver: space.name }
}

async function mayAnswer(trx: Db, { toUserId, toEid }: store.Taker, userId: number): Promise<boolean> {
  if (toEid === null) return toUserId === userId
  return (await findReceivingSpace(trx, toEid))?.managerIds.includes(userId) ?? false
}

/** The name of an enterprise is shown only after it accepted. */
async function nameOf(db: Db, ended: store.EndedHandover): Promise<string> {
  return ended.toEid !== null && !ended.wasAccepted ? `#${ended.toEid}` : store.findTakerName(db, ended)
}

async function ownerMessages(
  db: Db,
  eid: number,
  params: { person: string; enterprise: string; answer: 'accepted' | 'refused' | 'ended' },
): Promise<NewMessage[]> {
  return (await listOwners(db, eid)).map(({ id }) => ({ userId: id, kind: 'handoverReply', params }))
}
