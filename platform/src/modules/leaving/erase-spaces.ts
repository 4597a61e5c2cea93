import { withTransaction } from '../../database/database.ts'
import { writeAudit } from '../audit/index.ts'
import { disown, type EraseDeps, graceMs } from './disown.ts'
import * as store from './spaces-store.ts'

/** Enterprises erased by one round of housekeeping, and machines handled at a time. */
const batch = { spaces: 100, machines: 100 } as const

/** Erases every enterprise whose time to take its deletion back is over, as `erasePeople` does people. */
export async function eraseSpaces(deps: EraseDeps, now: number): Promise<void> {
  const at = new Date(now)
  const due = new Date(now - graceMs)
  for (const eid of await store.listDueSpaces(deps.db, due, batch.spaces)) {
    // One that fails keeps none of the others waiting.
    await eraseSpace(deps, eid, at).catch((error) =>
      deps.logger.warn({ err: error, eid }, 'enterprise.eraseFailed'),
    )
  }
}

async function eraseSpace(deps: EraseDeps, eid: number, at: Date): Promise<void> {
  const { db, bus, logger } = deps
  let machineIds = await store.listOwnedBySpace(db, eid, batch.machines)
  while (machineIds.length > 0) {
    for (const machineId of machineIds) await disown(deps, { eid }, machineId, at)
    machineIds = await store.listOwnedBySpace(db, eid, batch.machines)
  }
  const isErased = await withTransaction(db, async (trx) => {
    if (!(await store.removeDueSpace(trx, eid, at))) return false
    await writeAudit(trx, {
      actorUserId: null,
      action: 'enterprise.erase',
      target: String(eid),
      address: 'server',
      result: 'ok',
      detail: { eid },
      at,
    })
    return true
  })
  if (!isErased) return
  bus.publish('rights', {})
  logger.info({ eid }, 'enterprise.erased')
}
