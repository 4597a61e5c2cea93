import type { notifications as contract, machines } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { heldNameFor } from '../machine-names/index.ts'

type Db = Kysely<DB>

/** The alarm of a row, as far as its text needs it. */
interface OfAlarm {
  readonly alarm_id: number
  readonly machine_id: number
  readonly machine_name: string
  readonly rule_id: number | null
  readonly tag_id: number | null
  readonly text: unknown
  readonly value: string | number | boolean | null
  readonly limit_value: string | number | boolean | null
}

export interface RecordRow extends OfAlarm {
  readonly created_at: Date
  readonly settled_at: Date | null
  readonly level: machines.AlarmLevel
  readonly state: contract.SendRecordState
  readonly reason: string
  readonly segments: number
  readonly digest_count: number
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
}

/** The messages that a reader wants: to themselves and of their machines, or of an enterprise's. */
export interface RecordFilter {
  readonly channel: 'sms' | 'email'
  readonly userId: number
  readonly eid?: number | undefined
  readonly toUserId?: number | undefined
  readonly state?: contract.SendRecordState | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
}

export interface Slice {
  readonly offset: number
  readonly limit: number
}

/** For a machine that changed hands, the time of its present owner. */
const isOfOwner = sql<boolean>`note.created_at >= coalesce(machines.owned_since, '-infinity')`

/** How a record names its row's state: a limit that was reached, and a balance that was used up, before the state. */
const recordState = sql<contract.SendRecordState>`
  case when note.state = 'skipped' and note.reason in ('limited', 'noStock') then note.reason else note.state end`

function conditionOf({
  channel,
  userId,
  eid,
  toUserId,
  state,
  from,
  until,
}: RecordFilter): RawBuilder<unknown> {
  // A digest is one message: the row that carries it.
  const parts = [sql`note.channel = ${channel}`, sql`(note.digest_id is null or note.digest_id = note.id)`]
  if (eid === undefined)
    parts.push(sql`(note.user_id = ${userId} or machines.owner_user_id = ${userId} and ${isOfOwner})`)
  else parts.push(sql`machines.owner_enterprise_id = ${eid} and ${isOfOwner}`)
  if (toUserId !== undefined) parts.push(sql`note.user_id = ${toUserId}`)
  if (state !== undefined) parts.push(sql`${recordState} = ${state}`)
  if (from !== undefined) parts.push(sql`note.created_at >= ${new Date(from)}`)
  if (until !== undefined) parts.push(sql`note.created_at < ${new Date(until)}`)
  return sql.join(parts, sql` and `)
}

/** Messages about alarms, the latest first, and how many there are up to `countMax`. */
export async function listRecords(
  db: Db,
  request: RecordFilter,
  { offset, limit }: Slice,
  countMax: number,
): Promise<{ rows: RecordRow[]; total: number }> {
  const found = sql`from notifications note join machines on machines.id = note.machine_id where ${conditionOf(request)}`
  const own = heldNameFor(sql`${request.userId}::bigint`, sql.ref('note.machine_id'))
  const name =
    request.eid === undefined
      ? own
      : sql`coalesce((select device.name from enterprise_machines device
          where device.enterprise_id = ${request.eid} and device.machine_id = note.machine_id), ${own})`
  const [{ rows }, counted] = await Promise.all([
    sql<RecordRow>`
      with page as (select note.* ${found} order by note.created_at desc, note.id desc limit ${limit} offset ${offset})
      select note.alarm_id, note.machine_id, coalesce(${name}, machines.code) as machine_name, alarm.rule_id,
             alarm.tag_id, alarm.text, alarm.value, alarm.limit_value, note.created_at, note.settled_at, note.level,
             ${recordState} as state, note.reason, note.segments,
             case when note.digest_id is null then 1 else
               (select count(*)::int from notifications one where one.digest_id = note.digest_id) end as digest_count,
             coalesce(contact.name, person.name) as name, person.phone, coalesce(contact.email, person.email) as email
      from page note
      join machines on machines.id = note.machine_id
      join alarms alarm on alarm.id = note.alarm_id
      left join users person on person.id = note.user_id
      left join alarm_contacts contact on contact.id = note.contact_id
      order by note.created_at desc, note.id desc`.execute(db),
    sql<{
      count: number
    }>`select count(*)::int as count from (select ${found} limit ${countMax}) found`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/**
 * SMS segments about alarms since an instant: that were sent to a person, and of this person's devices to others; or of an
 * enterprise's devices.
 */
export async function countSegments(
  db: Db,
  of: { readonly userId: number } | { readonly eid: number },
  since: Date,
): Promise<number> {
  const isSent = sql`note.channel = 'sms' and note.created_at >= ${since}
      and note.state in ('queued', 'sent', 'delivered', 'failed')`
  const ofMachines = (isOwned: RawBuilder<unknown>) => sql`
    select note.id, note.segments from machines join notifications note on note.machine_id = machines.id
    where ${isOwned} and ${isOfOwner} and ${isSent}`
  // Each part has its own index; a message to the owner of the device is in both.
  const found =
    'userId' in of
      ? sql`select id, segments from notifications note where note.user_id = ${of.userId} and ${isSent}
          union ${ofMachines(sql`machines.owner_user_id = ${of.userId}`)}`
      : ofMachines(sql`machines.owner_enterprise_id = ${of.eid}`)
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(segments), 0)::int as count from (${found}) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** When today began on the clocks of a person, or of an enterprise. */
export async function findDayBegin(db: Db, timeZone: string, at: Date): Promise<Date> {
  const { rows } = await sql<{ day: Date }>`
    select date_trunc('day', ${at}::timestamptz at time zone ${timeZone}) at time zone ${timeZone} as day`.execute(
    db,
  )
  return rows[0]?.day ?? at
}
