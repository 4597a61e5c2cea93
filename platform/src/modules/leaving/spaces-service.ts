import { timing } from '@busbar/contract'
import type { Bus } from '../../bus/bus.ts'
import { withTransaction } from '../../database/database.ts'
import { Failure } from '../../http/failure.ts'
import { type Actor, noteAct } from '../audit/index.ts'
import { type CodeBrand, type CodeDesk, takeCode } from '../codes/index.ts'
import type { Mailbox, Outbound } from '../messages/index.ts'
import { formatSpaceDeletion } from './leaving-message.ts'
import { confirmingAccount } from './leaving-service.ts'
import { findLeaver } from './leaving-store.ts'
import * as store from './spaces-store.ts'

export interface SpaceLeavingDeps {
  readonly desk: CodeDesk
  readonly bus: Bus
  readonly mailbox: Mailbox
}

/**
 * Begins an enterprise's leaving: no member may do anything in it from this moment, and within 14 days any owner takes it
 * back. Every owner is told, by a message and an e-mail. Throws OWNER_ONLY, 403, CODE_WRONG and CODE_CLOSED.
 */
export async function deleteSpace(
  { desk, bus, mailbox }: SpaceLeavingDeps,
  { eid, code }: { readonly eid: number; readonly code: string },
  from: Actor & { readonly brand: CodeBrand },
): Promise<Date> {
  const { user, address, now, brand } = from
  const person = await findLeaver(desk.db, user.userId)
  const at = new Date(now)
  const until = new Date(now + timing.leavingMs)
  const account = confirmingAccount(person)
  const attempt = { account, purpose: 'deleteEnterprise', code, address, now } as const
  const outbound: Outbound = await takeCode(desk.db, attempt, async (trx) => {
    const space = await store.lockSpaceOf(trx, eid, user.userId)
    if (space?.state !== 'active') throw new Failure('403')
    if (space.role !== 'owner') throw new Failure('OWNER_ONLY')
    await store.updateLeaving(trx, eid, { state: 'leaving', until })
    await noteAct(trx, from, {
      action: 'enterprise.deletion.ask',
      target: String(eid),
      detail: { eid, until },
    })
    const owners = await store.listOwners(trx, eid)
    const asker = owners.find(({ id }) => id === user.userId)?.name ?? ''
    for (const owner of owners) {
      const told = { enterprise: space.name, person: asker, until }
      const message = formatSpaceDeletion(owner, told, { brand, publicUrl: desk.publicUrl })
      if (message) await desk.outgoing.queue(trx, message)
    }
    const params = { enterprise: space.name, person: asker, until: until.getTime() }
    return mailbox.post(trx, at, {
      letters: owners.map(({ id }) => ({ userId: id, kind: 'spaceLeaving' as const, params })),
    })
  })
  bus.publish('rights', {})
  mailbox.send(outbound)
  return until
}

/** Takes an enterprise's deletion back and tells every owner. Throws 404 for none that the caller could keep. */
export async function keepSpace(
  { desk, bus, mailbox }: SpaceLeavingDeps,
  eid: number,
  from: Actor,
): Promise<void> {
  const at = new Date(from.now)
  const outbound = await withTransaction(desk.db, async (trx) => {
    const space = await store.lockSpaceOf(trx, eid, from.user.userId)
    const isLeaving = (await store.listLeaving(trx, from.user.userId, at)).some(({ id }) => id === eid)
    if (!space || !isLeaving) throw new Failure('404')
    await store.updateLeaving(trx, eid, { state: 'active', until: null })
    await noteAct(trx, from, { action: 'enterprise.deletion.takeBack', target: String(eid), detail: { eid } })
    const owners = await store.listOwners(trx, eid)
    const person = owners.find(({ id }) => id === from.user.userId)?.name ?? ''
    const params = { enterprise: space.name, person }
    return mailbox.post(trx, at, {
      letters: owners.map(({ id }) => ({ userId: id, kind: 'spaceStays' as const, params })),
    })
  })
  bus.publish('rights', {})
  mailbox.send(outbound)
}
