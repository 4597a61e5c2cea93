import { type enterprises as contract, type InputOf, timing } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type CodeBrand, type CodeDeps, takeCode } from '../accounts/verification-codes/index.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { updateSpaceLeaving } from '../enterprises/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { detailOf, offMessages, requireOwner } from './handovers-service.ts'
import * as handovers from './handovers-store.ts'
import { formatSpaceDeletion } from './leaving-message.ts'
import { confirmingAccount } from './leaving-service.ts'
import { type Db, findLeaver } from './leaving-store.ts'
import * as store from './spaces-store.ts'

export interface SpaceLeavingDeps {
  readonly codeDeps: CodeDeps
  readonly mailbox: Mailbox
}

/**
 * Begins an enterprise's deletion: its members lose all rights at once, and within 14 days any owner can cancel it.
 * Every owner is notified by a message and an e-mail. The devices go to the named receiver at the erasure; receivers
 * who accepted but are not named are notified that the devices do not come. Throws OWNER_ONLY, 403, CODE_WRONG,
 * CODE_CLOSED and HANDOVER_NOT_ACCEPTED; the code is then not used up (rules/enterprises.md: deletion of an
 * enterprise).
 */
export async function deleteSpace(
  { codeDeps, mailbox }: SpaceLeavingDeps,
  { eid, code, machinesToUserId, machinesToEid }: InputOf<typeof contract.deleteEnterprise>,
  from: Actor & { readonly brand: CodeBrand },
): Promise<Date> {
  const { user, address, now, brand } = from
  const person = await findLeaver(codeDeps.db, user.userId)
  const at = new Date(now)
  const until = new Date(now + timing.leavingMs)
  const account = confirmingAccount(person)
  const attempt = { account, purpose: 'deleteEnterprise', code, address, now } as const
  await takeCode(codeDeps.db, attempt, async (trx) => {
    const space = await requireOwner(trx, eid, user.userId)
    const named = { toUserId: machinesToUserId ?? null, toEid: machinesToEid ?? null }
    const isHandedOver = named.toUserId !== null || named.toEid !== null
    const taker = isHandedOver ? await chooseTaker(trx, eid, named, at) : undefined
    const unused = taker ? [] : await handovers.endHandovers(trx, { eid }, 'withdrawn')
    await updateSpaceLeaving(trx, eid, { state: 'leaving', until })
    await auditAct(trx, from, {
      action: 'enterprise.deletion.ask',
      target: String(eid),
      detail: { eid, until, ...(taker && detailOf(taker)) },
    })
    const owners = await store.listOwners(trx, eid)
    const asker = owners.find(({ id }) => id === user.userId)?.name ?? ''
    for (const owner of owners) {
      const told = { enterprise: space.name, person: asker, until, receiver: taker?.name }
      const message = formatSpaceDeletion(owner, told, { brand, publicUrl: codeDeps.publicUrl })
      if (message) await codeDeps.outgoing.queue(trx, message)
    }
    const params = { enterprise: space.name, person: asker, until: until.getTime() }
    const offs = await offMessages(trx, unused, space.name)
    await mailbox.write(trx, at, {
      messages: [...offs, ...owners.map(({ id }) => ({ userId: id, kind: 'spaceLeaving' as const, params }))],
    })
  })
  return until
}

/** Chooses the receiver who accepted the devices, kept for the erasure. Throws HANDOVER_NOT_ACCEPTED. */
async function chooseTaker(
  trx: Db,
  eid: number,
  named: { readonly toUserId: number | null; readonly toEid: number | null },
  at: Date,
): Promise<handovers.Taker & { readonly name: string }> {
  const handover = await handovers.findOpenHandover(trx, { eid }, at)
  const isNamed = handover?.toUserId === named.toUserId && handover.toEid === named.toEid
  if (handover?.state !== 'accepted' || !isNamed) throw new Failure('HANDOVER_NOT_ACCEPTED')
  if (!(await handovers.chooseHandover(trx, handover.id))) throw new Failure('HANDOVER_NOT_ACCEPTED')
  return { ...handover, name: await handovers.findTakerName(trx, handover) }
}

/**
 * Cancels an enterprise's deletion and notifies every owner, and the receiver of its devices. Throws 404 if the caller
 * could not cancel any.
 */
export async function keepSpace(
  { codeDeps, mailbox }: SpaceLeavingDeps,
  eid: number,
  from: Actor,
): Promise<void> {
  const at = new Date(from.now)
  await withTransaction(codeDeps.db, async (trx) => {
    const space = await store.lockSpaceOf(trx, eid, from.user.userId)
    const isLeaving = (await store.listLeaving(trx, from.user.userId, at)).some(({ id }) => id === eid)
    if (!space || !isLeaving) throw new Failure('404')
    await updateSpaceLeaving(trx, eid, { state: 'active', until: null })
    await auditAct(trx, from, {
      action: 'enterprise.deletion.takeBack',
      target: String(eid),
      detail: { eid },
    })
    const owners = await store.listOwners(trx, eid)
    const person = owners.find(({ id }) => id === from.user.userId)?.name ?? ''
    const params = { enterprise: space.name, person }
    const offs = await offMessages(trx, await handovers.endHandovers(trx, { eid }, 'withdrawn'), space.name)
    await mailbox.write(trx, at, {
      messages: [...offs, ...owners.map(({ id }) => ({ userId: id, kind: 'spaceStays' as const, params }))],
    })
  })
}
