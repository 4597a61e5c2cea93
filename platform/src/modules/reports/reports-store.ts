import type { reports as contract, Lang } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type By, columnsOf, isOf, type Space, type SpaceRow, spaceColumns } from '../spaces/index.ts'

export type Db = Kysely<DB>

/** The contents of a report, except the language of the stored file. */
export interface ReportBody {
  readonly name: string
  readonly schedule: contract.ReportSchedule
  readonly content: contract.ReportContent
  readonly formats: readonly contract.ReportFormat[]
  readonly lang: Lang
  /** Null: it is paused. */
  readonly nextAt: Date | null
}

export interface StoredReport extends ReportBody, SpaceRow {}

/** A report in a list, with its last run. */
export interface ListedReport extends StoredReport {
  readonly recipients: number
  readonly lastAt: Date | null
  readonly lastState: contract.ReportRunState | null
  readonly lastError: contract.ReportRunError | null
}

const columns = sql`${spaceColumns('reports')},
  json_build_object('every', reports.every, 'weekday', reports.weekday, 'monthDay', reports.month_day,
    'hour', reports.hour, 'timeZone', reports.time_zone) as schedule,
  reports.content, reports.formats, reports.lang, reports.next_at as "nextAt"`

/** The reports of a space by name. */
export async function listReports(db: Db, space: Space): Promise<ListedReport[]> {
  const { rows } = await sql<ListedReport>`
    select ${columns}, last.queued_at as "lastAt", last.state as "lastState", last.error as "lastError",
      (select count(*)::int from report_recipients where report_id = reports.id) as recipients
    from reports left join lateral (
      select queued_at, state, error from report_runs where report_id = reports.id order by id desc limit 1
    ) last on true
    where ${isOf(space, 'reports')} order by lower(reports.name), reports.id`.execute(db)
  return rows
}

/** A report; `locked`: until the end of the transaction. */
export async function findReport(db: Db, id: number, locked = false): Promise<StoredReport | undefined> {
  const { rows } = await sql<StoredReport>`
    select ${columns} from reports where id = ${id} ${locked ? sql`for no key update of reports` : sql``}`.execute(
    db,
  )
  return rows[0]
}

export async function countReports(db: Db, space: Space): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reports where ${isOf(space, 'reports')}`.execute(db)
  return rows[0]?.count ?? 0
}

const valuesOf = ({ name, schedule, content, formats, lang, nextAt }: ReportBody) => ({
  name,
  content: JSON.stringify(content),
  every: schedule.every,
  weekday: schedule.weekday,
  month_day: schedule.monthDay,
  hour: schedule.hour,
  time_zone: schedule.timeZone,
  formats: [...formats],
  lang,
  next_at: nextAt,
})

export async function insertReport(db: Db, space: Space, body: ReportBody, by: By): Promise<number> {
  const { id } = await db
    .insertInto('reports')
    .values({
      ...columnsOf(space),
      ...valuesOf(body),
      created_at: by.at,
      updated_at: by.at,
      updated_by: by.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateReport(trx: Db, id: number, body: ReportBody, by: By): Promise<void> {
  await trx
    .updateTable('reports')
    .set({ ...valuesOf(body), updated_at: by.at, updated_by: by.userId })
    .where('id', '=', id)
    .execute()
}

export async function deleteReport(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('reports').where('id', '=', id).execute()
}

/** The people and contacts who get a report. */
export interface Recipients {
  readonly userIds: readonly number[]
  readonly contactIds: readonly number[]
}

export async function setRecipients(trx: Db, id: number, { userIds, contactIds }: Recipients): Promise<void> {
  await trx.deleteFrom('report_recipients').where('report_id', '=', id).execute()
  await sql`
    insert into report_recipients (report_id, user_id, contact_id)
    select ${id}::bigint, user_id, null::bigint from unnest(${[...userIds]}::bigint[]) as user_id
    union select ${id}::bigint, null::bigint, contact_id from unnest(${[...contactIds]}::bigint[]) as contact_id`.execute(
    trx,
  )
}

export async function listRecipients(db: Db, id: number): Promise<Recipients> {
  const rows = await db
    .selectFrom('report_recipients')
    .select(['user_id', 'contact_id'])
    .where('report_id', '=', id)
    .orderBy('user_id')
    .orderBy('contact_id')
    .execute()
  return {
    userIds: rows.flatMap(({ user_id }) => user_id ?? []),
    contactIds: rows.flatMap(({ contact_id }) => contact_id ?? []),
  }
}

/** Reports whose time has come, locked; one that another process holds is left out. */
export async function lockDueReports(trx: Db, now: Date, max: number): Promise<StoredReport[]> {
  const { rows } = await sql<StoredReport>`
    select ${columns} from reports where next_at <= ${now} order by next_at limit ${max}
    for no key update of reports skip locked`.execute(trx)
  return rows
}

export async function setNext(trx: Db, id: number, nextAt: Date | null): Promise<void> {
  await trx.updateTable('reports').set({ next_at: nextAt }).where('id', '=', id).execute()
}

/** A person or a contact who gets reports, as they are written to. */
export interface Addressee {
  readonly userId: number | null
  readonly contactId: number | null
  readonly name: string
  readonly email: string | null
  readonly lang: Lang
  readonly brandId: number | null
}

/** A person of an addressee. */
export const readerOf = ({ userId, ...addressee }: Addressee) => ({ ...addressee, userId: userId as number })

/** The brand on whose host a person was last. */
const brandOf = (user: ReturnType<typeof sql.ref>) =>
  sql`(select brand_id from sessions where sessions.user_id = ${user} order by last_seen_at desc limit 1)`

/** People who can sign in, by their ids. */
export async function listPeople(db: Db, userIds: readonly number[]): Promise<Addressee[]> {
  const { rows } = await sql<Addressee>`
    select id as "userId", null::bigint as "contactId", name, email, lang, ${brandOf(sql.ref('users.id'))} as "brandId"
    from users where id = any(${[...userIds]}::bigint[]) order by name, id`.execute(db)
  return rows
}

/** Contacts of a space who confirmed and have not left; `ids`: of these only. */
export async function listContacts(db: Db, space: Space, ids?: readonly number[]): Promise<Addressee[]> {
  const { rows } = await sql<Addressee>`
    select null::bigint as "userId", contact.id as "contactId", contact.name, contact.email, contact.lang,
      ${brandOf(sql.ref('contact.user_id'))} as "brandId"
    from alarm_contacts contact
    where ${isOf(space, 'contact')} and contact.account_id is null and contact.confirmed_at is not null and contact.left_at is null
      ${ids ? sql`and contact.id = any(${[...ids]}::bigint[])` : sql``}
    order by contact.name, contact.id`.execute(db)
  return rows
}

/** The members of an enterprise. */
export async function listMembers(db: Db, enterpriseId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('enterprise_members')
    .select('user_id')
    .where('enterprise_id', '=', enterpriseId)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** An owner of an enterprise: its files count for them. */
export async function findSpaceOwner(db: Db, enterpriseId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('enterprise_members')
    .select('user_id')
    .where('enterprise_id', '=', enterpriseId)
    .where('role', '=', 'owner')
    .orderBy('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Machines with the names that an enterprise, or everybody, has for them. */
export async function listMachines(
  db: Db,
  machineIds: readonly number[],
  enterpriseId: number | null,
): Promise<{ id: number; code: string; name: string }[]> {
  const { rows } = await sql<{ id: number; code: string; name: string }>`
    select machines.id, machines.code, coalesce(nullif(coalesce(device.name, machines.name), ''), machines.code) as name
    from machines left join enterprise_machines device
      on device.machine_id = machines.id and device.enterprise_id = ${enterpriseId}::bigint
    where machines.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return rows
}
