import { applications } from '@busbar/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './grants-store.ts'

/** The requested rows of a list, 0-based. */
export interface Slice {
  readonly start: number
  readonly count: number
}

/**
 * Whether a machine's holder agreed to be known to a person: they applied to be a Bkey and were accepted, one of both
 * added the other as a friend, which takes the whole account, or they joined the enterprise that owns the machine and
 * that the person runs. A key alone is not enough: it can be given without the holder's consent.
 */
const isKnownTo = (readerId: number): RawBuilder<boolean> => sql<boolean>`(
  exists (select from applications asked
    where asked.machine_id = held.machine_id and asked.user_id = held.user_id and asked.kind = 'bind'
      and asked.proposed_by is null and asked.state = ${applications.auditStates.passed}
      and (machines.owned_since is null or asked.created_at >= machines.owned_since))
  or exists (select from friends
    where (friends.user_id = ${readerId} and friends.friend_id = held.user_id)
      or (friends.user_id = held.user_id and friends.friend_id = ${readerId}))
  or exists (select from enterprise_members head join enterprise_members mate using (enterprise_id)
    where head.enterprise_id = machines.owner_enterprise_id
      and head.user_id = ${readerId} and head.role <> 'member' and mate.user_id = held.user_id))`

/**
 * The people who hold a machine as Bkey or visitor, with the details that `readerId` may know, longest-held rights
 * first, and their number.
 */
export async function listHolders(
  db: Db,
  readerId: number,
  { machineId, role }: { machineId: number; role: 'bkey' | 'visitor' },
  slice: Slice,
) {
  const holders = db
    .selectFrom('machine_grants as held')
    .innerJoin('machines', 'machines.id', 'held.machine_id')
    .innerJoin('users', 'users.id', 'held.user_id')
    .where('held.machine_id', '=', machineId)
    .where('held.role', '=', role)
    // A grant from before a person became the owner gives nothing and is not listed.
    .where(sql<boolean>`held.user_id is distinct from machines.owner_user_id`)
  const [rows, total] = await Promise.all([
    holders
      .select([
        'held.id',
        'held.user_id',
        'held.machine_id',
        'held.until',
        'held.read_only',
        'held.alarms',
        'machines.check_type',
        'users.leaves_at',
        'users.name',
        'users.phone',
        'users.email',
        isKnownTo(readerId).as('is_known'),
      ])
      .orderBy('held.id')
      .offset(slice.start)
      .limit(slice.count)
      .execute(),
    holders.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type HolderRow = Awaited<ReturnType<typeof listHolders>>['rows'][number]

/** The people on a machine's blacklist, the latest first, and their number. */
export async function listBlacklisted(db: Db, machineId: number, slice: Slice) {
  const entries = db.selectFrom('machine_blacklist as entry').where('entry.machine_id', '=', machineId)
  const [rows, total] = await Promise.all([
    entries
      .innerJoin('users', 'users.id', 'entry.user_id')
      .select(['entry.user_id', 'entry.created_at', 'users.name', 'users.phone', 'users.email'])
      .orderBy('entry.created_at', 'desc')
      .orderBy('entry.user_id')
      .offset(slice.start)
      .limit(slice.count)
      .execute(),
    entries.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type BlacklistedRow = Awaited<ReturnType<typeof listBlacklisted>>['rows'][number]

/** The people among these who may sign in, by id. */
export async function listPeople(db: Db, userIds: readonly number[]) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'phone', 'email'])
    .where(sql<boolean>`id = any(${[...userIds]}::bigint[])`)
    .where('state', '=', 'active')
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
