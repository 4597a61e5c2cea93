import { type EnterpriseMembership, mayInEnterprise } from '@busbar/contract'
import { sql } from 'kysely'
import { nameFor } from '../../machine-names/index.ts'
import type { Db, Trx } from '../grants-store.ts'

/** The receiver of an offer. */
export type Receiver =
  | { readonly to: number; readonly toEid: null }
  | { readonly to: null; readonly toEid: number }

/** An offer that waits. */
export type OpenTransfer = Receiver & {
  readonly id: number
  readonly from: number
  /** The enterprise that gives it; null: `from` as a person. */
  readonly fromEid: number | null
}

/** The outcome of an offer. */
export type TransferEnd = 'accepted' | 'refused' | 'withdrawn' | 'expired'

export async function createTransfer(
  trx: Trx,
  offer: {
    machineId: number
    from: number
    fromEid: number | null
    receiver: Receiver
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
      to_user_id: offer.receiver.to,
      to_enterprise_id: offer.receiver.toEid,
      created_at: offer.at,
      expires_at: offer.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Whether a person who may act owns an enterprise that is open: not locked and not leaving. */
export async function isSpaceOwner(trx: Db, eid: number, userId: number): Promise<boolean> {
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

/** Whether the maker of an offer may still give the machine away. */
export async function isStillTheirs(
  trx: Trx,
  offer: { from: number; fromEid: number | null },
  machine: { owner_user_id: number | null; owner_enterprise_id: number | null },
): Promise<boolean> {
  if (offer.fromEid === null) return machine.owner_user_id === offer.from
  return machine.owner_enterprise_id === offer.fromEid && isSpaceOwner(trx, offer.fromEid, offer.from)
}

/** An open enterprise (not locked, not leaving), with the people who may act and manage its devices. */
export async function findReceivingSpace(
  db: Db,
  eid: number,
): Promise<{ name: string; managerIds: number[] } | undefined> {
  const space = await db
    .selectFrom('enterprises')
    .select('name')
    .where('id', '=', eid)
    .where('state', '=', 'active')
    .executeTakeFirst()
  if (!space) return undefined
  const members = await db
    .selectFrom('enterprise_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['member.user_id', 'member.role', 'member.rights'])
    .where('member.enterprise_id', '=', eid)
    .where('users.state', '=', 'active')
    .orderBy('member.user_id')
    .execute()
  const managers = members.filter((member) => mayInEnterprise(member as EnterpriseMembership, 'manage'))
  return { name: space.name, managerIds: managers.map((member) => member.user_id) }
}

/** The number of machines that an enterprise owns. */
export async function countOwnedBySpace(trx: Trx, eid: number): Promise<number> {
  const row = await trx
    .selectFrom('enterprise_machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .where('kind', '=', 'owned')
    .executeTakeFirstOrThrow()
  return row.count
}

/** The machine an offer is of, and the enterprises it is between. */
export async function findTransferPlace(
  db: Db,
  transferId: number,
): Promise<{ machineId: number; eids: number[] } | undefined> {
  const row = await db
    .selectFrom('machine_transfers')
    .select(['machine_id', 'from_enterprise_id', 'to_enterprise_id'])
    .where('id', '=', transferId)
    .executeTakeFirst()
  if (!row) return undefined
  const eids = [row.from_enterprise_id, row.to_enterprise_id].filter((eid) => eid !== null)
  return { machineId: row.machine_id, eids }
}

/** An open offer, between people who may still sign in and enterprises that are open. */
export async function findOpenTransfer(
  trx: Trx,
  which: { id: number } | { machineId: number },
  now: Date,
): Promise<OpenTransfer | undefined> {
  const row = await trx
    .selectFrom('machine_transfers as offer')
    .innerJoin('users as maker', 'maker.id', 'offer.from_user_id')
    .leftJoin('users as target', 'target.id', 'offer.to_user_id')
    .leftJoin('enterprises as receiver', 'receiver.id', 'offer.to_enterprise_id')
    .select([
      'offer.id',
      'offer.from_user_id as from',
      'offer.from_enterprise_id as fromEid',
      'target.id as to',
      'receiver.id as toEid',
    ])
    .where('offer.state', '=', 'waiting')
    .where('offer.expires_at', '>', now)
    .where('maker.state', '=', 'active')
    .where(isReceiverOpen)
    .where('id' in which ? 'offer.id' : 'offer.machine_id', '=', 'id' in which ? which.id : which.machineId)
    .executeTakeFirst()
  return row as OpenTransfer | undefined
}

/** With `target` and `receiver` joined: one of the two is null. */
const isReceiverOpen = sql<boolean>`coalesce(target.state, receiver.state) = 'active'`

/** Ends a machine's open offer if its receiver cannot answer it any more. */
export async function endLostTransfer(trx: Trx, machineId: number, at: Date): Promise<void> {
  await trx
    .updateTable('machine_transfers')
    .set({ state: 'withdrawn', answered_at: at })
    .where('machine_id', '=', machineId)
    .where('state', '=', 'waiting')
    .execute()
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

/** Ends the offers that were not answered in time, of one machine or of all; answers their makers. */
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

/**
 * Offers that wait, by and to a person and to the enterprises they manage, the latest first, under the names that the
 * machines have for them. Only its members read an enterprise's name.
 */
export async function listTransfers(db: Db, userId: number, now: Date) {
  const isManager = sql<boolean>`(mate.role <> 'member' or 'manage' = any(mate.rights))`
  return db
    .selectFrom('machine_transfers as offer')
    .innerJoin('machines', 'machines.id', 'offer.machine_id')
    .innerJoin('users as maker', 'maker.id', 'offer.from_user_id')
    .leftJoin('users as target', 'target.id', 'offer.to_user_id')
    .leftJoin('enterprises as receiver', 'receiver.id', 'offer.to_enterprise_id')
    .leftJoin('enterprise_members as mate', (join) =>
      join.onRef('mate.enterprise_id', '=', 'receiver.id').on('mate.user_id', '=', userId),
    )
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
      'offer.to_enterprise_id',
      sql<string>`coalesce(target.name, case when mate.user_id is null then '#' || receiver.id else receiver.name end)`.as(
        'to_name',
      ),
      sql<boolean>`coalesce(offer.to_user_id = ${userId}, ${isManager}, false)`.as('may_answer'),
    ])
    .where('offer.state', '=', 'waiting')
    .where('offer.expires_at', '>', now)
    .where('maker.state', '=', 'active')
    .where(isReceiverOpen)
    .where((where) =>
      where.or([where('offer.from_user_id', '=', userId), where('offer.to_user_id', '=', userId), isManager]),
    )
    .orderBy('offer.id', 'desc')
    .execute()
}
export type TransferRow = Awaited<ReturnType<typeof listTransfers>>[number]
