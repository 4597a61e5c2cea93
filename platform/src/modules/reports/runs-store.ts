import type { reports as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { LeftOut } from './report-data.ts'
import type { Db } from './reports-store.ts'

/** A run that is to be made. */
export interface NewRun {
  readonly reportId: number
  /** The scheduled time; null: a person requested it. */
  readonly dueAt: Date | null
  readonly askedBy: number | null
  /** Whether its recipients get it. */
  readonly isSent: boolean
  readonly from: Date
  readonly to: Date
  readonly at: Date
}

/** Notes a run; undefined if its scheduled time has one. */
export async function createRun(trx: Db, run: NewRun): Promise<number | undefined> {
  const row = await trx
    .insertInto('report_runs')
    .values({
      report_id: run.reportId,
      due_at: run.dueAt,
      asked_by: run.askedBy,
      is_sent: run.isSent,
      from_at: run.from,
      to_at: run.to,
      queued_at: run.at,
    })
    .onConflict((conflict) => conflict.columns(['report_id', 'due_at']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Whether a report has a run that is not over. */
export async function isRunning(db: Db, reportId: number): Promise<boolean> {
  const row = await db
    .selectFrom('report_runs')
    .select('id')
    .where('report_id', '=', reportId)
    .where('state', 'in', ['waiting', 'making'])
    .executeTakeFirst()
  return row !== undefined
}

/** A run in the hands of a job. */
export interface TakenRun {
  readonly id: number
  readonly reportId: number
  readonly isSent: boolean
  readonly from: Date
  readonly to: Date
  /** The number of this job among those that have tried the run. */
  readonly attempt: number
}

/** Takes a run that is not over; another job that has it may not end it any more. */
export async function takeRun(db: Db, id: number): Promise<TakenRun | undefined> {
  const { rows } = await sql<TakenRun>`
    update report_runs set state = 'making', attempt = attempt + 1
    where id = ${id} and state in ('waiting', 'making')
    returning id, report_id as "reportId", is_sent as "isSent", from_at as "from", to_at as "to", attempt`.execute(
    db,
  )
  return rows[0]
}

/** Ends a run with its result; false if another job has it, or it is over. */
export async function endRun(
  trx: Db,
  { id, attempt }: Pick<TakenRun, 'id' | 'attempt'>,
  { leftOut, at }: { readonly leftOut: LeftOut; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('report_runs')
    .set({ state: 'done', error: null, left_out: JSON.stringify(leftOut), ended_at: at })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'making')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function failRun(trx: Db, id: number, error: contract.ReportRunError, at: Date): Promise<void> {
  await trx
    .updateTable('report_runs')
    .set({ state: 'failed', error, ended_at: at })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'making'])
    .execute()
}

/** Runs for which no job of a queue is there. */
export async function listStrayRuns(db: Db, queue: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from report_runs where state in ('waiting', 'making')
      and id not in (select (data->'data'->>'runId')::bigint from jobs.job
                     where name = ${queue} and state in ('created', 'retry', 'active'))
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export async function createVersion(
  trx: Db,
  version: { readonly runId: number; readonly isOwn: boolean; readonly machineIds: readonly number[] },
): Promise<number> {
  const { id } = await trx
    .insertInto('report_versions')
    .values({ run_id: version.runId, is_own: version.isOwn, machine_ids: [...version.machineIds] })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function createReportFile(
  trx: Db,
  file: {
    readonly versionId: number
    readonly format: contract.ReportFormat
    readonly fileId: number
    readonly name: string
    readonly bytes: number
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('report_files')
    .values({
      version_id: file.versionId,
      format: file.format,
      file_id: file.fileId,
      name: file.name,
      bytes: file.bytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes the versions of an earlier try of a run; answers the files. */
export async function removeVersions(trx: Db, runId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    with gone as (delete from report_versions where run_id = ${runId} returning id)
    select file.file_id as id from report_files file join gone on gone.id = file.version_id`.execute(trx)
  return rows.flatMap(({ id }) => id ?? [])
}

/** The files of a report, or of its runs but the latest `keep`. */
export async function listFileIds(db: Db, reportId: number, keep = 0): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select file.file_id as id
    from report_files file join report_versions version on version.id = file.version_id
    where file.file_id is not null and version.run_id in (
      select id from report_runs where report_id = ${reportId} order by id desc offset ${keep})`.execute(db)
  return rows.map(({ id }) => id)
}

export async function removeOldRuns(trx: Db, reportId: number, keep: number): Promise<void> {
  await sql`delete from report_runs where id in (
    select id from report_runs where report_id = ${reportId} and state in ('done', 'failed')
    order by id desc offset ${keep})`.execute(trx)
}

/** The result of one recipient. */
export interface Delivery {
  readonly versionId: number | null
  readonly userId: number | null
  readonly contactId: number | null
  readonly state: contract.DeliveryState
  readonly unseen: number
}

export async function createDelivery(trx: Db, runId: number, delivery: Delivery): Promise<number> {
  const { id } = await trx
    .insertInto('report_deliveries')
    .values({
      run_id: runId,
      version_id: delivery.versionId,
      user_id: delivery.userId,
      contact_id: delivery.contactId,
      state: delivery.state,
      unseen: delivery.unseen,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A run in a list. */
export interface ListedRun {
  readonly id: number
  readonly state: contract.ReportRunState
  readonly error: contract.ReportRunError | null
  readonly from: Date
  readonly to: Date
  readonly at: Date
  readonly isAsked: boolean
  readonly endedAt: Date | null
  readonly leftOut: Partial<LeftOut>
}

export async function listRuns(db: Db, reportId: number, max: number): Promise<ListedRun[]> {
  const { rows } = await sql<ListedRun>`
    select id, state, error, from_at as "from", to_at as "to", coalesce(due_at, queued_at) as at,
      due_at is null as "isAsked", ended_at as "endedAt", left_out as "leftOut"
    from report_runs where report_id = ${reportId} order by id desc limit ${max}`.execute(db)
  return rows
}

/** The machines in the owner's versions of runs. */
export async function listRunMachines(
  db: Db,
  runIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ runId: number; machineIds: readonly number[] }>`
    select run_id as "runId", machine_ids::float8[] as "machineIds" from report_versions
    where run_id = any(${[...runIds]}::bigint[]) and is_own`.execute(db)
  return new Map(rows.map(({ runId, machineIds }) => [runId, machineIds]))
}

/** The owner's files of runs. */
export async function listRunFiles(db: Db, runIds: readonly number[]) {
  const { rows } = await sql<{
    runId: number
    id: number
    format: contract.ReportFormat
    name: string
    bytes: number
    expiresAt: Date | null
  }>`
    select version.run_id as "runId", file.id, file.format, file.name, file.bytes,
      case when kept.state = 'ready' then kept.expires_at end as "expiresAt"
    from report_versions version
    join report_files file on file.version_id = version.id
    left join files kept on kept.id = file.file_id
    where version.run_id = any(${[...runIds]}::bigint[]) and version.is_own
    order by file.id`.execute(db)
  return rows
}

export async function listDeliveries(db: Db, runIds: readonly number[]) {
  const { rows } = await sql<{
    runId: number
    name: string
    isContact: boolean
    state: contract.DeliveryState
    unseen: number
  }>`
    select delivery.run_id as "runId", coalesce(person.name, contact.name) as name,
      delivery.contact_id is not null as "isContact", delivery.state, delivery.unseen
    from report_deliveries delivery
    left join users person on person.id = delivery.user_id
    left join alarm_contacts contact on contact.id = delivery.contact_id
    where delivery.run_id = any(${[...runIds]}::bigint[]) order by delivery.id`.execute(db)
  return rows
}

/** A file of a report, with the data that decides who may have it. */
export interface FoundFile {
  readonly fileId: number | null
  readonly reportId: number
  readonly versionId: number
  readonly isOwn: boolean
  readonly machineIds: readonly number[]
  /** One of its machines changed its owner since: the file is about the time before. */
  readonly isOfFormerOwner: boolean
}

export async function findReportFile(db: Db, id: number): Promise<FoundFile | undefined> {
  const { rows } = await sql<FoundFile>`
    select file.file_id as "fileId", run.report_id as "reportId", version.id as "versionId", version.is_own as "isOwn",
      version.machine_ids::float8[] as "machineIds",
      exists (select from machines where machines.id = any(version.machine_ids)
        and machines.owned_since > run.queued_at) as "isOfFormerOwner"
    from report_files file
    join report_versions version on version.id = file.version_id
    join report_runs run on run.id = version.run_id
    where file.id = ${id}`.execute(db)
  return rows[0]
}

/** The recipients of a version, or the one with this id. */
export async function listReceivers(
  db: Db,
  versionId: number,
  deliveryId?: number,
): Promise<{ userId: number | null; contactId: number | null }[]> {
  const { rows } = await sql<{ userId: number | null; contactId: number | null }>`
    select user_id as "userId", contact_id as "contactId" from report_deliveries
    where version_id = ${versionId} ${deliveryId === undefined ? sql`` : sql`and id = ${deliveryId}`}`.execute(
    db,
  )
  return rows
}
