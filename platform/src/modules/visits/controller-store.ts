import { timing } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** The space of our advisory locks on machines' controllers. */
const controllerLocks = 38

/**
 * Serializes the opening and ending of a machine's visits, and changes of its controller, until the transaction ends.
 * Advisory: a lock on the machine's row would make samples being committed wait for people.
 */
export async function lockController(db: Db, machineId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${controllerLocks}::int, hashint8(${machineId}::bigint))`.execute(db)
}

/** The holder of a machine's controller; undefined after the 60 s of a write. */
export async function findController(db: Db, machineId: number, now: Date) {
  return db
    .selectFrom('controllers')
    .innerJoin('users', 'users.id', 'controllers.user_id')
    .select([
      'controllers.machine_id',
      'controllers.user_id',
      'controllers.visit_id',
      'controllers.since',
      'controllers.until',
      'users.name',
    ])
    .where('controllers.machine_id', '=', machineId)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', now)]))
    .executeTakeFirst()
}
export type ControllerRow = NonNullable<Awaited<ReturnType<typeof findController>>>

/** Gives a machine's controller to a visit, or for a write until an instant. */
export async function putController(
  db: Db,
  holder: { machineId: number; userId: number; since: Date } & (
    | { visitId: number; until?: undefined }
    | { visitId?: undefined; until: Date }
  ),
): Promise<void> {
  const values = {
    user_id: holder.userId,
    visit_id: holder.visitId ?? null,
    since: holder.since,
    until: holder.until ?? null,
    // A page of the visit has this long to open.
    release_at: holder.visitId ? new Date(holder.since.getTime() + timing.controlReleaseMs) : null,
  }
  await db
    .insertInto('controllers')
    .values({ machine_id: holder.machineId, ...values })
    .onConflict((conflict) => conflict.column('machine_id').doUpdateSet(values))
    .execute()
}

/** Frees the controller a visit holds; false when it held none. */
export async function removeController(db: Db, visitId: number): Promise<boolean> {
  const result = await db.deleteFrom('controllers').where('visit_id', '=', visitId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Frees controllers whose write is over; answers the machines. */
export async function removeExpiredControllers(db: Db, now: Date): Promise<number[]> {
  const rows = await db.deleteFrom('controllers').where('until', '<=', now).returning('machine_id').execute()
  return rows.map((row) => row.machine_id)
}

/** Stores that a visit requests its machine's controller; false if it did already. */
export async function createControlRequest(
  db: Db,
  visitId: number,
  machineId: number,
  at: Date,
): Promise<boolean> {
  const result = await db
    .insertInto('control_requests')
    .values({ visit_id: visitId, machine_id: machineId, at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Deletes a visit's request for control; false if there was none. */
export async function removeControlRequest(db: Db, visitId: number): Promise<boolean> {
  const result = await db.deleteFrom('control_requests').where('visit_id', '=', visitId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Whether a visit has requested the controller. */
export async function hasControlRequest(db: Db, visitId: number): Promise<boolean> {
  const row = await db
    .selectFrom('control_requests')
    .select('visit_id')
    .where('visit_id', '=', visitId)
    .executeTakeFirst()
  return row !== undefined
}

/** More visits at a machine are not told as takers of its control. */
const takersMax = 100

/** Live visits at a machine without the one in control; those that ask for it first, then the newest. */
export async function listControlTakers(db: Db, machineId: number, now: Date) {
  return db
    .selectFrom('visits')
    .innerJoin('users', 'users.id', 'visits.user_id')
    .leftJoin('control_requests', 'control_requests.visit_id', 'visits.id')
    .leftJoin('controllers', 'controllers.visit_id', 'visits.id')
    .select(['visits.id', 'visits.user_id', 'users.name', 'control_requests.at as asked_at'])
    .where('visits.machine_id', '=', machineId)
    .where('visits.ended_at', 'is', null)
    .where('visits.ends_at', '>', now)
    .where('controllers.visit_id', 'is', null)
    .orderBy('control_requests.at', (order) => order.asc().nullsLast())
    .orderBy('visits.id', 'desc')
    .limit(takersMax)
    .execute()
}

/** Live visits that ask for a machine's controller. */
export async function listControlRequests(db: Db, machineId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('control_requests')
    .select('visit_id')
    .where('machine_id', '=', machineId)
    .execute()
  return rows.map((row) => row.visit_id)
}

/** The machines among these whose controller is taken. */
export async function listBusyMachines(
  db: Db,
  machineIds: readonly number[],
  now: number,
): Promise<Set<number>> {
  if (machineIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('controllers')
    .select('machine_id')
    .where(sql<boolean>`machine_id = any(${[...machineIds]}::bigint[])`)
    .where((where) => where.or([where('until', 'is', null), where('until', '>', new Date(now))]))
    .execute()
  return new Set(rows.map((row) => row.machine_id))
}
