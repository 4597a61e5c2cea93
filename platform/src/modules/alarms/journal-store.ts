import type { alarms as contract } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AlarmScope, countUpTo, isOfScope, nameOfMachine, type Slice } from './centre-store.ts'
import { covers } from './shelves-store.ts'

type Db = Kysely<DB>

/** The wanted events. */
export interface JournalFilters {
  readonly alarmId?: number | undefined
  readonly kind?: readonly contract.AlarmEventKind[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

export interface JournalRow {
  readonly id: number
  readonly machine_id: number
  readonly code: string
  readonly machine_name: string
  readonly alarm_id: number | null
  readonly kind: contract.AlarmEventKind
  readonly at: Date
  readonly received_at: Date
  readonly level: contract.AlarmRow['level'] | null
  readonly text: unknown
  readonly rule_id: number | null
  readonly limit_value: contract.AlarmRow['limit']
  readonly tag_id: number | null
  readonly value: contract.AlarmRow['value']
  readonly count: number | null
  readonly user_id: number | null
  readonly user_name: string | null
  readonly contact_id: number | null
  readonly until: Date | null
  readonly note: string
}

/** Events of a space, the latest first, and how many there are up to `countMax`. */
export async function listJournal(
  db: Db,
  scope: AlarmScope,
  filters: JournalFilters,
  slice: Slice,
): Promise<{ rows: JournalRow[]; total: number }> {
  if (scope.machines.length === 0) return { rows: [], total: 0 }
  const found = sql`from alarm_events event where ${isOfScope(scope, 'event')} and ${conditionOf(filters)}`
  const [{ rows }, total] = await Promise.all([
    sql<JournalRow>`
      with page as (
        select event.* ${found} order by event.at desc, event.id desc limit ${slice.limit} offset ${slice.offset}
      )
      select event.id, event.machine_id, machines.code,
             ${nameOfMachine(scope, sql.ref('event.machine_id'))} as machine_name, event.alarm_id, event.kind, event.at,
             event.received_at, event.level, alarm.text, alarm.rule_id, alarm.limit_value,
             coalesce(alarm.tag_id, shelve.tag_id) as tag_id, event.value, event.count,
             event.user_id, coalesce(person.name, contact.name) as user_name,
             event.contact_id, case when event.kind = 'shelved' then shelve.until end as until, event.note
      from page event
      join machines on machines.id = event.machine_id
      left join alarms alarm on alarm.id = event.alarm_id
      left join alarm_shelves shelve on shelve.id = event.shelve_id
      left join users person on person.id = event.user_id
      left join alarm_contacts contact on contact.id = event.contact_id
      order by event.at desc, event.id desc`.execute(db),
    countUpTo(db, sql`${found} order by event.at desc, event.id desc`, slice.countMax),
  ])
  return { rows, total }
}

function conditionOf({ alarmId, kind, from, to }: JournalFilters): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (alarmId !== undefined) parts.push(isOfAlarm(alarmId))
  if (kind && kind.length > 0) parts.push(sql`event.kind = any(${[...kind]}::text[])`)
  if (from !== undefined) parts.push(sql`event.at >= ${new Date(from)}`)
  if (to !== undefined) parts.push(sql`event.at < ${new Date(to)}`)
  return sql.join(parts, sql` and `)
}

/** Events of the alarm, and those of shelvings that covered it while it was active. */
function isOfAlarm(alarmId: number): RawBuilder<unknown> {
  return sql`(event.alarm_id = ${alarmId} or event.id in (
    select shelving.id from alarms alarm
    join alarm_shelves shelve on ${covers('shelve', 'alarm')}
    join alarm_events shelving on shelving.machine_id = shelve.machine_id and shelving.shelve_id = shelve.id
    where alarm.id = ${alarmId} and shelving.at >= alarm.raised_at
      and shelving.at <= coalesce(alarm.cleared_at, 'infinity')))`
}
