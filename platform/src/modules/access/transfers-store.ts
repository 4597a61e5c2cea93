import { sql } from 'kysely'
import { nameFor } from '../machine-names/index.ts'
import type { Db, Trx } from './grants-store.ts'

/** How an offer ended. */
export type TransferEnd = 'accepted' | 'refused' | 'withdrawn' | 'expired'

export async function createTransfer(
  trx: Trx,
  offer: { machineId: number; from: number; to: number; at: Date; expiresAt: Date },
): Promise<number> {
  const row = await trx
    .insertInto('machine_transfers')
    .values({
      machine_id: offer.machineId,
      from_user_id: offer.from,
      to_user_id: offer.to,
      created_at: offer.at,
      expires_at: offer.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
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
): Promise<{ id: number; from: number; to: number } | undefined> {
  const row = await trx
    .selectFrom('machine_transfers as offer')
    .innerJoin('users as maker', 'maker.id', 'offer.from_user_id')
    .innerJoin('users as target', 'target.id', 'offer.to_user_id')
    .select(['offer.id', 'offer.from_user_id as from', 'target.id as to'])
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
    .select([
      'offer.id',
      'offer.machine_id',
      'offer.from_user_id',
      'offer.created_at',
      'offer.expires_at',
      'machines.code',
      nameFor(sql`${userId}::bigint`, sql.ref('offer.machine_id')).as('name'),
      'maker.name as from_name',
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
