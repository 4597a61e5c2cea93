import type { enterprises as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import { nameFor } from '../machine-names/index.ts'
import type { Db, Trx } from './spaces-store.ts'

/** The machine a maintenance window is for. */
export async function findMachineIdByWindow(db: Db, windowId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('maintenance_windows')
    .select('machine_id')
    .where('id', '=', windowId)
    .executeTakeFirst()
  return row?.machine_id
}

export async function countWaiting(db: Db, eid: number): Promise<number> {
  const row = await db
    .selectFrom('maintenance_windows')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Requests a window; answers its id. */
export async function createWindow(
  trx: Trx,
  window: {
    eid: number
    machineId: number
    requestedBy: number
    start: Date
    /** Null: no end. */
    stop: Date | null
    scopes: readonly contract.MaintenanceScope[]
    reason: string
    at: Date
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('maintenance_windows')
    .values({
      enterprise_id: window.eid,
      machine_id: window.machineId,
      requested_by: window.requestedBy,
      start_at: window.start,
      stop_at: window.stop,
      scopes: [...window.scopes],
      reason: window.reason,
      created_at: window.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A window as an answer to it needs it. */
export async function findWindow(db: Db, id: number) {
  const row = await db
    .selectFrom('maintenance_windows')
    .select(['id', 'enterprise_id', 'machine_id', 'requested_by', 'start_at', 'stop_at', 'state'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, state: row.state as contract.MaintenanceState }
}

export async function updateWindow(
  trx: Trx,
  id: number,
  change: { state: contract.MaintenanceState; answeredBy: number; at: Date },
): Promise<void> {
  await trx
    .updateTable('maintenance_windows')
    .set({ state: change.state, answered_by: change.answeredBy, answered_at: change.at })
    .where('id', '=', id)
    .execute()
}

/** Whether the owner lets the enterprise in, now or later, or held it back for the time being. */
export async function hasWindow(db: Db, eid: number, machineId: number): Promise<boolean> {
  const row = await db
    .selectFrom('maintenance_windows')
    .select('id')
    .where('enterprise_id', '=', eid)
    .where('machine_id', '=', machineId)
    .where('state', 'in', ['accepted', 'suspended'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a machine's windows, all of them or one enterprise's: its owner is another from here on. */
export async function endMaintenance(
  trx: Trx,
  which: { machineId: number; eid?: number },
  at: Date,
): Promise<void> {
  let windows = trx
    .updateTable('maintenance_windows')
    .set({ state: 'ended', answered_at: at })
    .where('machine_id', '=', which.machineId)
    .where('state', 'in', ['waiting', 'accepted', 'suspended'])
  let devices = trx
    .deleteFrom('enterprise_machines')
    .where('machine_id', '=', which.machineId)
    .where('kind', '=', 'maintained')
  if (which.eid !== undefined) {
    windows = windows.where('enterprise_id', '=', which.eid)
    devices = devices.where('enterprise_id', '=', which.eid)
  }
  await windows.execute()
  await devices.execute()
}

/** Takes a customer's device out of its maintainer's list. */
export async function removeMaintained(trx: Trx, eid: number, machineId: number): Promise<void> {
  await trx
    .deleteFrom('enterprise_machines')
    .where('enterprise_id', '=', eid)
    .where('machine_id', '=', machineId)
    .where('kind', '=', 'maintained')
    .execute()
}

const windowsShownMax = 200

/**
 * Windows, the latest first: those on machines of an Akey, or those that an enterprise requested; under the machines'
 * names for `readerId`.
 */
export async function listWindows(db: Db, readerId: number, whose: 'akey' | { eid: number }) {
  let query = db
    .selectFrom('maintenance_windows as span')
    .innerJoin('enterprises', 'enterprises.id', 'span.enterprise_id')
    .innerJoin('machines', 'machines.id', 'span.machine_id')
    .leftJoin('users', 'users.id', 'span.requested_by')
    .select([
      'span.id',
      'span.enterprise_id',
      'enterprises.name as enterprise',
      'span.machine_id',
      'machines.code',
      nameFor(sql`${readerId}::bigint`, sql.ref('span.machine_id')).as('name'),
      'span.start_at',
      'span.stop_at',
      'span.scopes',
      'span.reason',
      'span.state',
      'users.name as requested_by',
      'span.created_at',
    ])
  if (whose !== 'akey') query = query.where('span.enterprise_id', '=', whose.eid)
  else {
    query = query.where(isSinceOwned({ column: 'span.machine_id' }, 'span.created_at'))
    // The machines first: a condition on each window's machine would read every window.
    query = query.where('span.machine_id', 'in', (where) =>
      where
        .selectFrom('machines as own')
        .select('own.id')
        .where('own.owner_user_id', '=', readerId)
        .unionAll(
          where
            .selectFrom('enterprise_members as member')
            .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
            .innerJoin('machines as theirs', 'theirs.owner_enterprise_id', 'member.enterprise_id')
            .select('theirs.id')
            .where('enterprises.state', '=', 'active')
            .where('member.user_id', '=', readerId)
            .where('member.role', 'in', ['owner', 'admin']),
        ),
    )
  }
  return query.orderBy('span.id', 'desc').limit(windowsShownMax).execute()
}
export type WindowRow = Awaited<ReturnType<typeof listWindows>>[number]
