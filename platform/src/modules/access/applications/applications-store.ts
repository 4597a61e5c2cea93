import { type access, applications as contract, timing } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isSinceOwned } from '../../../kernel/database/owned-since.ts'
import type { DB } from '../../../kernel/database/schema.gen.ts'
import { type ApplicationRow, createStep, type NewStep } from '../index.ts'

const { auditStates } = contract

/** The database or a transaction on it. */
export type Db = Kysely<DB>
type Trx = Transaction<DB>

/** The applicant, the machine, and the kind of right. */
export interface About {
  readonly machineId: number
  readonly userId: number
  readonly kind: contract.ApplicationKind
}

/** An application as it is made. */
export interface NewApplication extends About {
  readonly proposedBy?: number
  readonly message?: string
  readonly remarks?: string
  readonly terminalName?: string
  readonly wish?: access.VisitMode
}

/**
 * Writes an application with its first steps; the last one gives its state. The caller holds the machine's row lock.
 */
export async function createApplication(
  trx: Trx,
  application: NewApplication,
  steps: readonly [NewStep, ...NewStep[]],
  at: Date,
): Promise<ApplicationRow> {
  const state = steps.at(-1)?.state ?? auditStates.waiting
  const { kind, machineId, userId, proposedBy = null, wish = 'rw' } = application
  const expiresAt = new Date(at.getTime() + timing.applicationMs)
  const { id } = await trx
    .insertInto('applications')
    .values({
      kind,
      machine_id: machineId,
      user_id: userId,
      proposed_by: proposedBy,
      message: application.message ?? '',
      remarks: application.remarks ?? '',
      terminal_name: application.terminalName ?? '',
      wish,
      state,
      created_at: at,
      expires_at: expiresAt,
      ended_at: state < auditStates.refusedByAkey ? null : at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const step of steps) await createStep(trx, id, step, at)
  return { id, kind, machineId, userId, proposedBy, wish, state, expiresAt }
}

/**
 * When the same person last applied for the same right, and how often this machine's owner refused it since it was last
 * passed.
 */
export async function findEarlier(
  db: Db,
  { machineId, userId, kind }: About,
  which: { since: Date | null; isProposed: boolean },
): Promise<{ lastAt: number | undefined; refusals: number }> {
  const { refusedByAkey, refusedByBkey, passed } = auditStates
  const { rows } = await sql<{ last_at: Date | null; refusals: number }>`
    with earlier as (
      select created_at, state from applications
      where user_id = ${userId} and machine_id = ${machineId} and kind = ${kind}
        and (proposed_by is not null) = ${which.isProposed}
        and created_at >= coalesce(${which.since}::timestamptz, '-infinity'))
    select max(created_at) as last_at,
           count(*) filter (where state in (${refusedByAkey}, ${refusedByBkey}) and created_at > coalesce(
             (select max(created_at) from earlier where state = ${passed}), '-infinity')) as refusals
    from earlier`.execute(db)
  const [row] = rows
  return { lastAt: row?.last_at?.getTime(), refusals: row?.refusals ?? 0 }
}

/** The bits that the keys set, combined to the smallest right. */
export async function findBits(
  db: Db,
  applicationId: number,
): Promise<{ readOnly: boolean | null; alarms: boolean | null }> {
  return db
    .selectFrom('application_steps')
    .select([
      sql<boolean | null>`bool_or(read_only)`.as('readOnly'),
      sql<boolean | null>`bool_and(alarms)`.as('alarms'),
    ])
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
}

/** Applications that a machine's present owner may know of. */
export const isOfOwner = isSinceOwned({ column: 'applications.machine_id' }, 'applications.created_at')

/** The machine of an application that its owner may know of. */
export async function findMachineIdByApplication(db: Db, applicationId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .select('applications.machine_id')
    .where('applications.id', '=', applicationId)
    .where(isOfOwner)
    .executeTakeFirst()
  return row?.machine_id
}

/** The application a message of this reader is about. */
export async function findApplicationOfMessage(
  db: Db,
  messageId: number,
  readerId: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('application_id')
    .where('id', '=', messageId)
    .where('user_id', '=', readerId)
    .executeTakeFirst()
  return row?.application_id ?? undefined
}

/** The newest application of its kind that a machine's owner may know of. */
export async function findNewest(db: Db, { machineId, userId, kind }: About): Promise<number | undefined> {
  const row = await db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .select('applications.id')
    .where('applications.machine_id', '=', machineId)
    .where('applications.user_id', '=', userId)
    .where('applications.kind', '=', kind)
    .where(isOfOwner)
    .orderBy('applications.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Machines with open applications that were not answered in time. */
export async function listRunOutMachines(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('applications')
    .select('machine_id')
    .distinct()
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .limit(500)
    .execute()
  return rows.map((row) => row.machine_id)
}

/** A person's own applications that wait, the newest of each machine. */
export async function listOwnApplications(db: Db, userId: number, now: number) {
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'machine_id', 'kind', 'state'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(now))
    .orderBy('id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.machine_id,
      { applyId: row.id, kind: row.kind as contract.ApplicationKind, auditState: row.state },
    ]),
  )
}

/** A machine's mode of approval, and a person's visit application that waits there. */
export async function findAuditOf(db: Db, machineId: number, userId: number) {
  const row = await db
    .selectFrom('machines')
    .leftJoin('applications', (join) =>
      join
        .onRef('applications.machine_id', '=', 'machines.id')
        .on('applications.user_id', '=', userId)
        .on('applications.kind', '=', 'visit')
        .on('applications.ended_at', 'is', null),
    )
    .select([
      'machines.check_type',
      'machines.owner_user_id',
      'machines.owner_enterprise_id',
      'applications.id',
      'applications.state',
      'applications.expires_at',
    ])
    .where('machines.id', '=', machineId)
    .executeTakeFirst()
  const { id, state, expires_at: expiresAt } = row ?? {}
  return {
    isOwned: row !== undefined && (row.owner_user_id !== null || row.owner_enterprise_id !== null),
    checkType: row?.check_type ?? 0,
    application: id && expiresAt ? { id, state: state ?? 0, expiresAt } : undefined,
  }
}

/** The applications among these that are not ended. */
export async function listOpenByIds(db: Db, applicationIds: readonly number[]) {
  if (applicationIds.length === 0) return []
  const rows = await db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .select([
      'applications.id',
      'applications.machine_id',
      'applications.kind',
      'applications.state',
      'applications.expires_at',
      'machines.check_type',
    ])
    .where(sql<boolean>`applications.id = any(${[...applicationIds]}::bigint[])`)
    .where('applications.ended_at', 'is', null)
    .where(isOfOwner)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    machineId: row.machine_id,
    kind: row.kind as contract.ApplicationKind,
    state: row.state,
    expiresAt: row.expires_at,
    checkType: row.check_type,
  }))
}
