import { applications as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { type Db, isOfOwner } from './applications-store.ts'

const { auditStates } = contract

/** Steps of one machine's or person's applications at a time. */
const stepsMax = 500

/** The requested rows of a list, 0-based. */
export interface Slice {
  readonly start: number
  readonly count: number
}

/** A machine's applications, the newest first, and how many there are; `isOpen`: only those that wait, or are over. */
export async function listMachineApplications(
  db: Db,
  machineId: number,
  which: { readonly isOpen: boolean | undefined; readonly now: Date },
  slice: Slice,
) {
  const { isOpen, now } = which
  let rows = db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .where('applications.machine_id', '=', machineId)
    .where(isOfOwner)
  if (isOpen === true)
    rows = rows.where('applications.ended_at', 'is', null).where('applications.expires_at', '>', now)
  if (isOpen === false)
    rows = rows.where(sql<boolean>`(applications.ended_at is not null or applications.expires_at <= ${now})`)
  const [list, total] = await Promise.all([
    rows
      .innerJoin('users', 'users.id', 'applications.user_id')
      .leftJoin('users as proposer', 'proposer.id', 'applications.proposed_by')
      .select([
        'applications.id',
        'applications.kind',
        'applications.user_id',
        'users.name',
        'users.phone',
        'users.email',
        'proposer.name as proposer',
        'applications.message',
        'applications.remarks',
        'applications.terminal_name',
        'applications.wish',
        'applications.state',
        'applications.created_at',
        'applications.expires_at',
        'applications.ended_at',
        'machines.check_type',
      ])
      .orderBy('applications.id', 'desc')
      .offset(slice.start)
      .limit(slice.count)
      .execute(),
    rows.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows: list, total: total.count }
}
export type MachineApplicationRow = Awaited<ReturnType<typeof listMachineApplications>>['rows'][number]

/** The parties of an application, as far as its machine's owner may know them. */
export async function findParties(db: Db, applicationId: number) {
  return db
    .selectFrom('applications')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .select([
      'applications.machine_id',
      'applications.user_id',
      'applications.proposed_by',
      isOfOwner.as('isOfOwner'),
    ])
    .where('applications.id', '=', applicationId)
    .executeTakeFirst()
}

/** The events of one application, or of those of a machine, oldest first; `userId`: only of that person's. */
export async function listSteps(
  db: Db,
  which:
    | { readonly applicationId: number }
    | { readonly machineId: number; readonly userId: number | undefined },
) {
  let query = db
    .selectFrom('application_steps')
    .innerJoin('applications', 'applications.id', 'application_steps.application_id')
    .innerJoin('machines', 'machines.id', 'applications.machine_id')
    .leftJoin('users', 'users.id', 'application_steps.user_id')
    .select([
      'application_steps.application_id',
      'applications.kind',
      'application_steps.step',
      'application_steps.key',
      'application_steps.user_id',
      'users.name',
      'application_steps.state',
      'application_steps.at',
    ])
  if ('applicationId' in which) query = query.where('applications.id', '=', which.applicationId)
  else {
    const { machineId, userId } = which
    query = query.where('applications.machine_id', '=', machineId)
    query =
      userId === undefined
        ? query.where(isOfOwner)
        : query.where(({ eb, or }) =>
            or([eb('applications.user_id', '=', userId), eb('applications.proposed_by', '=', userId)]),
          )
  }
  const rows = await query.orderBy('application_steps.id', 'desc').limit(stepsMax).execute()
  return rows.reverse()
}
export type StepRow = Awaited<ReturnType<typeof listSteps>>[number]

/**
 * A machine's visitors and visit applicants, once each, waiting ones first; `state` is that of their newest application
 * for it. Keys are left out.
 */
export async function listVisitTimeRows(
  db: Db,
  machineId: number,
  now: Date,
  slice: Slice,
): Promise<{ rows: VisitTimeRow[]; total: number }> {
  const { waitsForAkey } = auditStates
  const { rows } = await sql<VisitTimeRow & { total: number }>`
    with asked as (
      select distinct on (applications.user_id) applications.id, applications.user_id, applications.state,
             applications.expires_at
      from applications join machines on machines.id = applications.machine_id
      where applications.machine_id = ${machineId} and applications.kind = 'visit' and ${isOfOwner}
      order by applications.user_id, applications.id desc
    ), people as (
      select coalesce(held.user_id, asked.user_id) as user_id, held.id as grant_id, held.until,
             asked.id as application_id, asked.state, asked.expires_at
      from (select id, user_id, until from machine_grants where machine_id = ${machineId} and role = 'visitor') held
      full join asked on asked.user_id = held.user_id
    )
    select people.user_id, people.grant_id, people.until, people.application_id, people.state, people.expires_at,
           users.name, users.phone, users.email, count(*) over () as total
    from people join users on users.id = people.user_id join machines on machines.id = ${machineId}
    where people.user_id is distinct from machines.owner_user_id
      and not exists (select from machine_grants where machine_id = ${machineId} and role = 'bkey'
                      and machine_grants.user_id = people.user_id)
    order by (people.state <= ${waitsForAkey} and people.expires_at > ${now}) is true desc,
             coalesce(people.application_id, 0) desc, people.user_id
    offset ${slice.start} limit ${slice.count}`.execute(db)
  if (rows.length > 0 || slice.start === 0) return { rows, total: rows[0]?.total ?? 0 }
  const first = await listVisitTimeRows(db, machineId, now, { start: 0, count: 1 })
  return { rows, total: first.total }
}

/** `grant_id` is null without a grant, `application_id` without an application. */
export interface VisitTimeRow {
  readonly user_id: number
  readonly grant_id: number | null
  readonly until: Date | null
  readonly application_id: number | null
  readonly state: number | null
  readonly expires_at: Date | null
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
}
