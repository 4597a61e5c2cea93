import { limits } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './leaving-store.ts'

/** The receiver of an enterprise's devices. */
export type Taker =
  | { readonly toUserId: number; readonly toEid: null }
  | { readonly toUserId: null; readonly toEid: number }

/** An open request, between an enterprise and an active receiver: not deleted, not locked, not leaving. */
export type OpenHandover = Taker & {
  readonly id: number
  readonly eid: number
  readonly state: 'asked' | 'accepted'
}

/** The outcome of a request. */
export type HandoverEnd = 'refused' | 'withdrawn' | 'expired'

export async function createHandover(
  trx: Db,
  wish: { eid: number; taker: Taker; askedBy: number; at: Date; expiresAt: Date },
): Promise<number> {
  const row = await trx
    .insertInto('enterprise_handovers')
    .values({
      enterprise_id: wish.eid,
      to_user_id: wish.taker.toUserId,
      to_enterprise_id: wish.taker.toEid,
      asked_by: wish.askedBy,
      asked_at: wish.at,
      expires_at: wish.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** With `target` and `taker` joined: one of the two is null. */
const takerIsOpen = sql<boolean>`coalesce(target.state, taker.state) = 'active'`

function openHandovers(db: Db, now: Date) {
  return db
    .selectFrom('enterprise_handovers as handover')
    .leftJoin('users as target', 'target.id', 'handover.to_user_id')
    .leftJoin('enterprises as taker', 'taker.id', 'handover.to_enterprise_id')
    .where('handover.state', 'in', ['asked', 'accepted'])
    .where('handover.is_chosen', '=', false)
    .where('handover.expires_at', '>', now)
    .where(takerIsOpen)
}

/** A request by its id, or the one of an enterprise. */
export async function findOpenHandover(
  db: Db,
  which: { readonly id: number } | { readonly eid: number },
  now: Date,
): Promise<OpenHandover | undefined> {
  const row = await openHandovers(db, now)
    .select([
      'handover.id',
      'handover.enterprise_id as eid',
      'handover.state',
      'target.id as toUserId',
      'taker.id as toEid',
    ])
    .where(
      'id' in which ? 'handover.id' : 'handover.enterprise_id',
      '=',
      'id' in which ? which.id : which.eid,
    )
    .executeTakeFirst()
  return row as OpenHandover | undefined
}

const devicesOf = sql<number>`(select count(*) from machines where owner_enterprise_id = handover.enterprise_id)`

/** An enterprise's request as one of its owners reads it. Only its members read a receiving enterprise's name before. */
export async function findShownHandover(db: Db, eid: number, userId: number, now: Date) {
  return openHandovers(db, now)
    .select([
      'handover.id',
      'handover.state',
      'handover.to_user_id',
      'handover.to_enterprise_id',
      'handover.expires_at',
      devicesOf.as('devices'),
      sql<string>`coalesce(target.name, case
        when handover.state = 'accepted' or exists (
          select from enterprise_members mate
          where mate.enterprise_id = taker.id and mate.user_id = ${userId}) then taker.name
        else '#' || taker.id end)`.as('to_name'),
    ])
    .where('handover.enterprise_id', '=', eid)
    .executeTakeFirst()
}

/** Requests that wait for a person, for themselves and for the enterprises they manage, the latest first. */
export async function listReceivedHandovers(db: Db, userId: number, now: Date) {
  return openHandovers(db, now)
    .innerJoin('enterprises as space', 'space.id', 'handover.enterprise_id')
    .leftJoin('users as asker', 'asker.id', 'handover.asked_by')
    .select([
      'handover.id',
      'handover.to_enterprise_id',
      'handover.expires_at',
      'space.name as enterprise',
      'asker.name as from',
      devicesOf.as('devices'),
    ])
    .where('handover.state', '=', 'asked')
    .where('space.state', '=', 'active')
    .where(
      sql<boolean>`(handover.to_user_id = ${userId} or exists (
        select from enterprise_members mate
        where mate.enterprise_id = taker.id and mate.user_id = ${userId}
          and (mate.role <> 'member' or 'manage' = any(mate.rights))))`,
    )
    .orderBy('handover.id', 'desc')
    .execute()
}

/** The enterprises of a request; undefined for an unknown id. */
export async function findHandoverSpaces(db: Db, id: number): Promise<number[] | undefined> {
  const row = await db
    .selectFrom('enterprise_handovers')
    .select(['enterprise_id', 'to_enterprise_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && [row.enterprise_id, row.to_enterprise_id].filter((eid) => eid !== null)
}

export async function findSpaceName(db: Db, eid: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('enterprises')
    .select('name')
    .where('id', '=', eid)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return row?.name
}

export async function countDevices(db: Db, eid: number): Promise<number> {
  const row = await db
    .selectFrom('machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_enterprise_id', '=', eid)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Whether the list of a receiver has room for this many more machines. */
export async function hasRoom(db: Db, { toUserId, toEid }: Taker, more: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select case when ${toUserId}::bigint is not null
      then (select count(*) from machine_list_entries where user_id = ${toUserId})
      else (select count(*) from enterprise_machines where enterprise_id = ${toEid} and kind = 'owned')
      end as count`.execute(db)
  return (rows[0]?.count ?? 0) + more <= limits.machinesPerList
}

/** False when the request ended at this moment. */
export async function acceptHandover(trx: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('enterprise_handovers')
    .set({ state: 'accepted' })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps an accepted request for the deletion that begins now, however long that takes; false when it has just ended. */
export async function chooseHandover(trx: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('enterprise_handovers')
    .set({ is_chosen: true })
    .where('id', '=', id)
    .where('state', '=', 'accepted')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A request that has ended. */
export type EndedHandover = Taker & {
  readonly id: number
  readonly eid: number
  /** Whether its receiver counted on the devices. */
  readonly wasAccepted: boolean
}

/** Ends the request of an enterprise, or every one that ran out without being used by a deletion. */
export async function endHandovers(
  trx: Db,
  which: { readonly eid: number } | { readonly expiredAt: Date },
  end: HandoverEnd,
): Promise<EndedHandover[]> {
  const condition =
    'eid' in which
      ? sql`enterprise_id = ${which.eid}`
      : sql`not is_chosen and expires_at <= ${which.expiredAt}`
  // The inner query answers the state before.
  const { rows } = await sql<EndedHandover>`
    with ending as (
      select id, state from enterprise_handovers
      where state in ('asked', 'accepted') and ${condition} for no key update)
    update enterprise_handovers handover set state = ${end}, is_chosen = false
    from ending where ending.id = handover.id
    returning handover.id, handover.enterprise_id as eid, handover.to_user_id as "toUserId",
              handover.to_enterprise_id as "toEid", ending.state = 'accepted' as "wasAccepted"`.execute(trx)
  return rows
}

/** The hand-over request that an enterprise's deletion names. */
export async function findChosenHandover(
  db: Db,
  eid: number,
): Promise<(Taker & { readonly id: number; readonly handed: number }) | undefined> {
  const row = await db
    .selectFrom('enterprise_handovers')
    .select(['id', 'to_user_id as toUserId', 'to_enterprise_id as toEid', 'handed'])
    .where('enterprise_id', '=', eid)
    .where('is_chosen', '=', true)
    .executeTakeFirst()
  return row as (Taker & { id: number; handed: number }) | undefined
}

export async function countHanded(trx: Db, id: number): Promise<void> {
  await sql`update enterprise_handovers set handed = handed + 1 where id = ${id}`.execute(trx)
}

/** A machine's name among the devices of an enterprise; undefined without one. */
export async function findDeviceName(db: Db, eid: number, machineId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('enterprise_machines')
    .select('name')
    .where('enterprise_id', '=', eid)
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return row?.name
}

/** The name of a receiver; empty for one who is deleted, locked or leaving. */
export async function findTakerName(db: Db, { toUserId, toEid }: Taker): Promise<string> {
  if (toEid !== null) return (await findSpaceName(db, toEid)) ?? ''
  return (await findActivePerson(db, toUserId))?.name ?? ''
}

/** Whether a receiver is active: not deleted, not locked, not leaving. */
export async function isTakerOpen(db: Db, { toUserId, toEid }: Taker): Promise<boolean> {
  const found =
    toEid === null ? await findActivePerson(db, toUserId) : (await findSpaceName(db, toEid)) !== undefined
  return Boolean(found)
}

/** An active person: not locked, not leaving. */
export async function findActivePerson(db: Db, userId: number): Promise<{ name: string } | undefined> {
  return db
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .where('state', '=', 'active')
    .executeTakeFirst()
}
