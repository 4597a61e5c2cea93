import { sql } from 'kysely'
import { nameFor } from '../machine-names/index.ts'
import type { Db, Trx } from './grants-store.ts'

/** How an offer ended. */
export type TransferEnd = 'accepted' | 'refused' | 'withdrawn' | 'expired'

export async function createTransfer(
  trx: Trx,
  offer: {
    machineId: number
    from: number
    fromEid: number | null
    to: number
    at: Date
    expiresAt: Date
  },
): Promise<number> {
  const row = await trx
    .insertInto('machine_transfers')
    .values({
      machine_id: offer.machineId,
      from_user_id: offer.from,
      from_enterprise_id: offer.fromEid,
      to_user_id: offer.to,
      created_at: offer.at,
      expires_at: offer.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Whether somebody owns an enterprise that is neither locked nor leaving, and may act. */
export async function isSpaceOwner(trx: Trx, eid: number, userId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select('member.user_id')
    .where('member.enterprise_id', '=', eid)
    .where('member.user_id', '=', userId)
    .where('member.role', '=', 'owner')
    .where('enterprises.state', '=', 'active')
    .where('users.state', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether whoever offered a machine may still give it away. */
export async function isStillTheirs(
  trx: Trx,
  offer: { from: number; fromEid: number | null },
  machine: { owner_user_id: number | null; owner_enterprise_id: number | null },
): Promise<boolean> {
  if (offer.fromEid === null) return machine.owner_user_id === offer.from
  return machine.owner_enterprise_id === offer.fromEid && isSpaceOwner(trx, offer.fromEid, offer.from)
}

/** The machine an offer is of. */
export async function findMachineIdByTransfer(db: Db, transferId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('machine_transfers')
    .select('machine_id')
    .where('id', '=', transferId)
    .executeTakeFirst()
  return row?.machine_id
}

/** An offer that waits and is not over, between people who may still sign in. */
export async function findOpenTransfer(
  trx: Trx,
  which: { id: number } | { machineId: number },
  now: Date,
): Promise<{ id: number; from: number; fromEid: number | null; to: number } | undefined> {
  const row = await trx
    .selectFrom('machine_transfers as offer')
    .innerJoin('users as maker', 'maker.id', 'offer.from_user_id')
    .innerJoin('users as target', 'target.id', 'offer.to_user_id')
    .select([
      'offer.id',
      'offer.from_user_id as from',
      'offer.from_enterprise_id as fromEid',
      'target.id as to',
    ])
    .where('offer.state', '=', 'waiting')
    .where('offer.expires_at', '>', now)
    .where('maker.state', '=', 'active')
    .where('target.state', '=', 'active')
    .where('id' in which ? 'offer.id' : 'offer.machine_id', '=', 'id' in which ? which.id : which.machineId)
    .executeTakeFirst()
  return row
}

/** Ends an offer that waits; false when it ran out at this moment. */
export async function updateTransfer(
  trx: Trx,
  transferId: number,
  end: TransferEnd,
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('machine_transfers')
    .set({ state: end, answered_at: at })
    .where('id', '=', transferId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Ends the offers nobody answered in time, of one machine or of all; answers whose they were. */
export async function endExpiredTransfers(
  trx: Trx,
  now: Date,
  machineId?: number,
): Promise<{ transferId: number; machineId: number; from: number }[]> {
  const query = trx
    .updateTable('machine_transfers')
    .set({ state: 'expired', answered_at: now })
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
  const rows = await (machineId === undefined ? query : query.where('machine_id', '=', machineId))
    .returning(['id', 'machine_id', 'from_user_id'])
    .execute()
  return rows.map((row) => ({ transferId: row.id, machineId: row.machine_id, from: row.from_user_id }))
}

/** Offers that wait, by and to a person, the latest first, under the names that the machines have for them. */
export async function listTransfers(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('machine_transfers as offer')
    .innerJoin('machines', 'machines.id', 'offer.machine_id')
    .innerJoin('users as maker', 'maker.id', 'offer.from_user_id')
    .innerJoin('users as target', 'target.id', 'offer.to_user_id')
    .leftJoin('enterprises as space', 'space.id', 'offer.from_enterprise_id')
    .select([
      'offer.id',
      'offer.machine_id',
      'offer.from_user_id',
      'offer.created_at',
      'offer.expires_at',
      'machines.code',
      nameFor(sql`${userId}::bigint`, sql.ref('offer.machine_id')).as('name'),
      sql<string>`coalesce(space.name, maker.name)`.as('from_name'),
      'target.name as to_name',
    ])
    .where('offer.state', '=', 'waiting')
    .where('offer.expires_at', '>', now)
    .where('maker.state', '=', 'active')
    .where('target.state', '=', 'active')
    .where((where) =>
      where.or([where('offer.from_user_id', '=', userId), where('offer.to_user_id', '=', userId)]),
    )
    .orderBy('offer.id', 'desc')
    .execute()
}
export type TransferRow = Awaited<ReturnType<typeof listTransfers>>[number]
