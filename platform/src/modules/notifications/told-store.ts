import type { notifications as contract, machines } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Slice } from './records-store.ts'

type Db = Kysely<DB>

export interface ToldRow {
  readonly id: number
  readonly created_at: Date
  readonly settled_at: Date | null
  readonly name: string
  readonly machine_id: number
  /** The number of the person or contact among those of the alarm, in the order of their first messages. */
  readonly place: number
  readonly user_id: number | null
  readonly contact_id: number | null
  readonly channel: contract.NotificationChannel
  readonly step: number
  readonly level: machines.AlarmLevel
  readonly state: contract.NotificationState
  readonly reason: string
  readonly digest_id: number | null
}

/** The notifications of an alarm, the earliest first, and the number of rows up to `countMax`. */
export async function listTold(db: Db, alarmId: number, { offset, limit }: Slice, countMax: number) {
  const [{ rows }, counted] = await Promise.all([
    sql<ToldRow>`
      with person as (
        select user_id, contact_id, row_number() over (order by min(id))::int as place
        from notifications where alarm_id = ${alarmId} group by user_id, contact_id
      )
      select note.machine_id, numbered.place, note.id, note.created_at, note.settled_at, coalesce(contact.name, person.name) as name, note.user_id, note.contact_id,
             note.channel, note.step, note.level, note.state, note.reason, note.digest_id
      from notifications note
      join person numbered
        on numbered.user_id is not distinct from note.user_id
        and numbered.contact_id is not distinct from note.contact_id
      left join users person on person.id = note.user_id
      left join alarm_contacts contact on contact.id = note.contact_id
      where note.alarm_id = ${alarmId} order by note.id limit ${limit} offset ${offset}`.execute(db),
    sql<{ count: number }>`
      select count(*)::int as count
      from (select from notifications where alarm_id = ${alarmId} limit ${countMax}) found`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/** The escalation of an alarm as far as it went. */
export interface ToldRun {
  readonly alarmId: number
  readonly machineId: number
  /** The step that is due, or that was the last one. */
  readonly step: number
  readonly dueAt: Date
  readonly endedAt: Date | null
  readonly end: contract.EscalationEnd | null
}

/** The runs of alarms that have one. */
export async function listRuns(db: Db, alarmIds: readonly number[]): Promise<ToldRun[]> {
  const { rows } = await sql<ToldRun>`
    select alarm_id as "alarmId", machine_id as "machineId", step, due_at as "dueAt", ended_at as "endedAt",
           end_reason as "end"
    from alarm_escalation_runs where alarm_id = any(${[...alarmIds]}::bigint[])`.execute(db)
  return rows
}

/** Number of people and contacts notified of alarms; a person counts once, by the best outcome. */
export async function countTold(
  db: Db,
  alarmIds: readonly number[],
): Promise<{ alarmId: number; told: number; failed: number; waiting: number }[]> {
  const { rows } = await sql<{ alarmId: number; told: number; failed: number; waiting: number }>`
    with person as (
      select alarm_id, bool_or(state in ('sent', 'delivered')) as is_told, bool_or(state = 'failed') as has_failed,
             bool_or(state in ('queued', 'waiting')) as waits
      from notifications where alarm_id = any(${[...alarmIds]}::bigint[])
      group by alarm_id, user_id, contact_id
    )
    select alarm_id as "alarmId", (count(*) filter (where is_told))::int as told,
           (count(*) filter (where not is_told and has_failed))::int as failed,
           (count(*) filter (where not is_told and not has_failed and waits))::int as waiting
    from person group by alarm_id`.execute(db)
  return rows
}
