import { withTransaction } from '../../kernel/database/database.ts'
import { giveToPerson, giveToSpace, lockMachine, messagesAbout } from '../access/index.ts'
import { writeAudit } from '../audit/index.ts'
import { lockEnterprises } from '../spaces/index.ts'
import { disown, type EraseDeps } from './disown.ts'
import { detailOf } from './handovers-service.ts'
import * as store from './handovers-store.ts'

/**
 * Takes one machine from an enterprise that is erased: gives it to the receiver whom the deletion named, if they may
 * have it at this moment, and otherwise makes it unowned.
 */
export async function handOver(deps: EraseDeps, eid: number, machineId: number, at: Date): Promise<void> {
  if ((await store.findChosenHandover(deps.db, eid)) && (await give(deps, eid, machineId, at))) return
  await disown(deps, { eid }, machineId, at)
}

/** False if there is no receiver any more. */
async function give(
  { db, mailbox, facts }: EraseDeps,
  eid: number,
  machineId: number,
  at: Date,
): Promise<boolean> {
  return withTransaction(db, async (trx) => {
    const handover = await store.findChosenHandover(trx, eid)
    if (!handover) return false
    if (handover.toEid !== null) await lockEnterprises(trx, [handover.toEid])
    const machine = await lockMachine(trx, machineId)
    // Another process gave it just before.
    if (machine?.owner_enterprise_id !== eid) return true
    if (!(await store.isTakerOpen(trx, handover))) return false
    const name = (await store.findDeviceName(trx, eid, machineId)) ?? machine.name
    // They accepted all devices, so the limit of their list does not apply.
    const scope = { trx, facts }
    const giving = { at, max: undefined }
    const toWrite =
      handover.toEid === null
        ? await giveToPerson(scope, machineId, handover.toUserId, giving)
        : await giveToSpace(scope, machineId, { eid: handover.toEid, name }, giving)
    if (!toWrite) throw new Error(`Machine ${machineId} found no room without a limit`)
    await store.countHanded(trx, handover.id)
    await writeAudit(trx, {
      actorUserId: null,
      action: 'machine.transferred',
      target: machine.code,
      address: 'server',
      result: 'ok',
      detail: { machineId, reason: 'leaving', eid, ...detailOf(handover) },
      at,
    })
    await mailbox.write(trx, at, messagesAbout({ machineId, machineCode: machine.code }, toWrite))
    return true
  })
}
