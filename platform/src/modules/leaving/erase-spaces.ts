import { withTransaction } from '../../kernel/database/database.ts'
import { writeAudit } from '../audit/index.ts'
import { removeDueSpace } from '../enterprises/index.ts'
import type { NewMessage } from '../messages/index.ts'
import { findSpaceName } from '../spaces/index.ts'
import { type EraseDeps, graceMs } from './disown.ts'
import { handOver } from './hand-over.ts'
import { listReaders } from './handovers-service.ts'
import { findChosenHandover } from './handovers-store.ts'
import type { Db } from './leaving-store.ts'
import * as store from './spaces-store.ts'

/** Enterprises erased by one round of housekeeping, and machines handled at a time. */
const batch = { spaces: 100, machines: 100 } as const

/** Erases every enterprise whose time to take its deletion back is over, as `erasePeople` does people. */
export async function eraseSpaces(deps: EraseDeps, now: number): Promise<void> {
  const at = new Date(now)
  const due = new Date(now - graceMs)
  for (const eid of await store.listDueSpaces(deps.db, due, batch.spaces)) {
    // A failure delays none of the others.
    await eraseSpace(deps, eid, at).catch((error) =>
      deps.logger.warn({ err: error, eid }, 'enterprise.eraseFailed'),
    )
  }
}

async function eraseSpace(deps: EraseDeps, eid: number, at: Date): Promise<void> {
  const { db, mailbox, logger } = deps
  let machineIds = await store.listOwnedBySpace(db, eid, batch.machines)
  while (machineIds.length > 0) {
    for (const machineId of machineIds) await handOver(deps, eid, machineId, at)
    machineIds = await store.listOwnedBySpace(db, eid, batch.machines)
  }
  const isErased = await withTransaction(db, async (trx) => {
    // Before the request goes with the enterprise.
    const messages = await handoverMessages(trx, eid)
    if (!(await removeDueSpace(trx, eid, at))) return false
    await writeAudit(trx, {
      actorUserId: null,
      action: 'enterprise.erase',
      target: String(eid),
      address: 'server',
      result: 'ok',
      detail: { eid },
      at,
    })
    await mailbox.write(trx, at, { messages })
    return true
  })
  if (!isErased) return
  logger.info({ eid }, 'enterprise.erased')
}

/** The messages to the receivers of the devices, with their number. */
async function handoverMessages(trx: Db, eid: number): Promise<NewMessage[]> {
  const handover = await findChosenHandover(trx, eid)
  if (!handover || handover.handed === 0) return []
  const params = { enterprise: await findSpaceName(trx, { enterpriseId: eid }), count: handover.handed }
  return (await listReaders(trx, handover)).map((userId) => ({ userId, kind: 'handoverDone', params }))
}
