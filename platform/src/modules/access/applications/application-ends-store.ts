import type { access, applications as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db, Trx } from '../grants-store.ts'

/** An application as changes of it need it. */
export interface ApplicationRow {
  readonly id: number
  readonly kind: contract.ApplicationKind
  readonly machineId: number
  /** The person who gets the right. */
  readonly userId: number
  /** The Bkey who proposes the person. */
  readonly proposedBy: number | null
  readonly wish: access.VisitMode
  readonly state: number
  readonly expiresAt: Date
}

/** An event of an application, and the person who caused it. */
export interface NewStep {
  readonly step: contract.ApplicationStep
  readonly state: number
  /** Left out for steps of the applicant and of time. */
  readonly key?: 'A' | 'B'
  readonly userId?: number
  readonly isBlacklisted?: boolean
  /** The two bits that a key set; undefined: not set. */
  readonly readOnly?: boolean | undefined
  readonly alarms?: boolean | undefined
}

/** An application, or the open ones of a machine, oldest first; expired ones that are still open are among them. */
export async function listApplicationRows(
  db: Db,
  which: { id: number } | { machineId: number; userId?: number; kind?: contract.ApplicationKind },
): Promise<ApplicationRow[]> {
  let query = db
    .selectFrom('applications')
    .select(['id', 'kind', 'machine_id', 'user_id', 'proposed_by', 'wish', 'state', 'expires_at'])
  if ('id' in which) query = query.where('id', '=', which.id)
  else {
    query = query.where('machine_id', '=', which.machineId).where('ended_at', 'is', null)
    if (which.userId !== undefined) query = query.where('user_id', '=', which.userId)
    if (which.kind !== undefined) query = query.where('kind', '=', which.kind)
  }
  const rows = await query.orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as contract.ApplicationKind,
    machineId: row.machine_id,
    userId: row.user_id,
    proposedBy: row.proposed_by,
    wish: row.wish as access.VisitMode,
    state: row.state,
    expiresAt: row.expires_at,
  }))
}

/** An enterprise's machines with applications to become Bkey, in the order in which they are locked. */
export async function listMachinesAskedFor(db: Db, eid: number): Promise<number[]> {
  const rows = await db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .select('machines.id')
    .distinct()
    .where('machines.owner_enterprise_id', '=', eid)
    .where('applications.kind', '=', 'bind')
    .where('applications.ended_at', 'is', null)
    .orderBy('machines.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The people whose answer to an application was requested again since a key's last answer. */
export async function listAskedAgain(db: Db, applicationId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('messages')
    .select('user_id')
    .where('application_id', '=', applicationId)
    .where('type', '=', 'bindApply')
    .where('created_at', '>', ({ selectFrom }) =>
      selectFrom('application_steps')
        .select(({ fn }) => fn.max('at').as('at'))
        .where('application_id', '=', applicationId),
    )
    .execute()
  return new Set(rows.map((row) => row.user_id))
}

/** Writes a step of an application and the state it leads to; `isOpen`: whether it still waits for an answer then. */
export async function updateApplication(
  trx: Trx,
  applicationId: number,
  step: NewStep & { readonly isOpen: boolean },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('applications')
    .set({ state: step.state, ended_at: step.isOpen ? null : at })
    .where('id', '=', applicationId)
    .execute()
  await createStep(trx, applicationId, step, at)
}

export async function createStep(trx: Trx, applicationId: number, step: NewStep, at: Date): Promise<void> {
  await trx
    .insertInto('application_steps')
    .values({
      application_id: applicationId,
      step: step.step,
      key: step.key ?? null,
      user_id: step.userId ?? null,
      state: step.state,
      is_blacklisted: step.isBlacklisted ?? false,
      read_only: step.readOnly ?? null,
      alarms: step.alarms ?? null,
      at,
    })
    .execute()
}

/** Drops the unused proofs of a machine's password, of one person or of all. */
export async function removePasswordTickets(trx: Trx, machineId: number, userId?: number): Promise<void> {
  await trx
    .deleteFrom('machine_password_tickets')
    .where('machine_id', '=', machineId)
    .$if(userId !== undefined, (query) => query.where(sql<boolean>`user_id = ${userId ?? 0}`))
    .execute()
}

/** A person's name; empty when there is no such user. */
export async function findPersonName(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return row?.name ?? ''
}
