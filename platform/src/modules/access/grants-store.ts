import { type Kysely, sql, type Transaction } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>
export type Trx = Transaction<DB>

/**
 * Locks a machine against other changes of its rights until the transaction ends; answers the facts that its rights
 * depend on. Undefined if the machine does not exist.
 */
export async function lockMachine(trx: Trx, machineId: number) {
  return (
    trx
      .selectFrom('machines')
      .select([
        'code',
        'owner_user_id',
        'owner_enterprise_id',
        'owned_since',
        'cloud_service',
        'check_type',
        'name',
        'password_hash',
      ])
      .where('id', '=', machineId)
      // Not `for update`: samples and list entries that point at the machine need not wait.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

/** A grant as a change of it needs it. */
export interface GrantRow {
  readonly id: number
  readonly userId: number
  readonly role: 'bkey' | 'visitor'
  /** Null: no expiry. */
  readonly until: Date | null
  readonly readOnly: boolean
  readonly alarms: boolean
}

/** A machine's grant, by its id or by whose it is; undefined when it is not one of this machine. */
export async function findGrant(
  db: Db,
  machineId: number,
  which: { id: number } | { userId: number },
): Promise<GrantRow | undefined> {
  const query = db
    .selectFrom('machine_grants')
    .select(['id', 'user_id', 'role', 'until', 'read_only', 'alarms'])
    .where('machine_id', '=', machineId)
  const row = await ('id' in which
    ? query.where('id', '=', which.id)
    : query.where('user_id', '=', which.userId)
  ).executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      role: row.role as GrantRow['role'],
      until: row.until,
      readOnly: row.read_only,
      alarms: row.alarms,
    }
  )
}

/** Gives a person a right to a machine; answers the grant's id. */
export async function createGrant(
  trx: Trx,
  grant: {
    machineId: number
    userId: number
    role: GrantRow['role']
    until: Date | null
    readOnly: boolean
    alarms: boolean
  },
): Promise<number> {
  const row = await trx
    .insertInto('machine_grants')
    .values({
      machine_id: grant.machineId,
      user_id: grant.userId,
      role: grant.role,
      until: grant.until,
      read_only: grant.readOnly,
      alarms: grant.alarms,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Changes a grant. */
export async function updateGrant(
  trx: Trx,
  grantId: number,
  change: { role?: GrantRow['role']; until?: Date | null; readOnly?: boolean; alarms?: boolean },
): Promise<void> {
  const { readOnly, ...rest } = change
  await trx
    .updateTable('machine_grants')
    .set({ ...rest, ...(readOnly === undefined ? {} : { read_only: readOnly }) })
    .where('id', '=', grantId)
    .execute()
}

/** Takes a grant away; the machine stays in that person's list. */
export async function removeGrant(trx: Trx, grantId: number): Promise<void> {
  await trx.deleteFrom('machine_grants').where('id', '=', grantId).execute()
}

/** Whether a person is on a machine's blacklist. */
export async function isBlacklisted(db: Db, machineId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('machine_blacklist')
    .select('user_id')
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a person has, or had, anything to do with a machine: a list entry, a grant, a visit, an application. */
export async function hasDealtWith(db: Db, machineId: number, userId: number): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from machine_list_entries where machine_id = ${machineId} and user_id = ${userId})
        or exists (select from machine_grants where machine_id = ${machineId} and user_id = ${userId})
        or exists (select from applications where machine_id = ${machineId} and user_id = ${userId}
                     and ${isSinceOwned(machineId, 'applications.created_at')})
        or exists (select from visits where machine_id = ${machineId} and user_id = ${userId}
                     and ${isSinceOwned(machineId, 'visits.started_at')}) as known`.execute(db)
  return rows[0]?.known ?? false
}

/** Puts a person on a machine's blacklist; false when they were on it. */
export async function createBlacklisted(
  trx: Trx,
  entry: { machineId: number; userId: number; createdBy: number; at: Date },
): Promise<boolean> {
  const result = await trx
    .insertInto('machine_blacklist')
    .values({
      machine_id: entry.machineId,
      user_id: entry.userId,
      created_by: entry.createdBy,
      created_at: entry.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Takes a person off a machine's blacklist; false when they were not on it. */
export async function removeBlacklisted(trx: Trx, machineId: number, userId: number): Promise<boolean> {
  const result = await trx
    .deleteFrom('machine_blacklist')
    .where('machine_id', '=', machineId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
