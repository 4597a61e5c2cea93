import { alarms, type alarms as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type AlarmScope, isOfScope } from './centre-store.ts'
import type { SpanCount } from './quality.ts'

type Db = Kysely<DB>

export interface Period {
  readonly from: number
  readonly to: number
}

/** An alarm by its name on a machine, with its latest occurrence. */
export interface NamedAlarmRow {
  readonly machine_id: number
  readonly alarm_id: number
  readonly key: string
  readonly rule_id: number | null
  readonly tag_id: number | null
  readonly value: contract.AlarmRow['value']
  readonly limit_value: contract.AlarmRow['limit']
  readonly level: contract.AlarmRow['level']
  readonly text: unknown
}

/** Raisings of a space, by the ten minutes they fell into; spans without any are left out. */
export async function countBySpan(db: Db, scope: AlarmScope, { from, to }: Period): Promise<SpanCount[]> {
  const { rows } = await sql<SpanCount>`
    select (floor(extract(epoch from event.at - ${new Date(from)}::timestamptz) / 600) * 600000 + ${from})::float8 as "from",
           sum(event.raisings)::int as raised
    from alarm_events event
    where event.at >= ${new Date(from)} and event.at < ${new Date(to)} and event.raisings > 0
      and ${isOfScope(scope, 'event')}
    group by 1 order by 1`.execute(db)
  return rows
}

/** Raisings of a space by level. */
export async function countByLevel(
  db: Db,
  scope: AlarmScope,
  { from, to }: Period,
): Promise<{ level: contract.AlarmRow['level']; raised: number }[]> {
  const { rows } = await sql<{ level: contract.AlarmRow['level']; raised: number }>`
    select event.level, sum(event.raisings)::int as raised from alarm_events event
    where event.at >= ${new Date(from)} and event.at < ${new Date(to)} and event.raisings > 0
      and ${isOfScope(scope, 'event')}
    group by 1`.execute(db)
  return rows
}

/** A table expression of the latest occurrence of each name, with the raisings of the period. */
const byName = (scope: AlarmScope, { from, to }: Period) => sql`
  select alarm.machine_id, coalesce(alarm.rule_id, 0) as rule, alarm.key, event.at, event.raisings, event.alarm_id
  from alarm_events event join alarms alarm on alarm.id = event.alarm_id
  where event.at >= ${new Date(from)} and event.at < ${new Date(to)} and event.raisings > 0
    and ${isOfScope(scope, 'event')}`

/** The names that were raised most often. */
export async function listWorst(db: Db, scope: AlarmScope, period: Period, max: number) {
  const { rows } = await sql<NamedAlarmRow & { raised: number }>`
    with worst as (
      select max(alarm_id) as id, sum(raisings)::int as raised from (${byName(scope, period)}) named
      group by machine_id, rule, key
      order by raised desc, id limit ${max}
    )
    select alarm.machine_id, alarm.id as alarm_id, alarm.key, alarm.rule_id, alarm.tag_id, alarm.value,
           alarm.limit_value, alarm.level, alarm.text, worst.raised
    from worst join alarms alarm on alarm.id = worst.id order by worst.raised desc, alarm.id`.execute(db)
  return rows
}

/** The names that were raised several times within a minute, and how many such names there are. */
export async function listChattering(db: Db, scope: AlarmScope, period: Period, max: number) {
  const { chatterTimes, chatterMs } = alarms.alarmTargets
  const { rows } = await sql<NamedAlarmRow & { raised: number; peak: number; all: number }>`
    with named as (${byName(scope, period)}), busy as (
      select *, sum(raisings) over (partition by machine_id, rule, key order by at
        range between make_interval(secs => ${chatterMs / 1_000}) preceding and current row) as peak
      from named
    ), chattering as (
      select max(alarm_id) as id, sum(raisings)::int as raised, max(peak)::int as peak
      from busy group by machine_id, rule, key having max(peak) >= ${chatterTimes}
    )
    select alarm.machine_id, alarm.id as alarm_id, alarm.key, alarm.rule_id, alarm.tag_id, alarm.value,
           alarm.limit_value, alarm.level, alarm.text,
           chattering.raised, chattering.peak, (select count(*)::int from chattering) as all
    from chattering join alarms alarm on alarm.id = chattering.id
    order by chattering.peak desc, chattering.raised desc, alarm.id limit ${max}`.execute(db)
  return { rows, count: rows[0]?.all ?? 0 }
}

/** Alarms that had been active too long at an instant, the oldest first, and their number. */
export async function listStanding(db: Db, scope: AlarmScope, at: number, max: number) {
  const since = new Date(at - alarms.alarmTargets.standingMs)
  const { rows } = await sql<NamedAlarmRow & { raised_at: Date; all: number }>`
    with standing as (
      select alarm.* from alarms alarm
      where alarm.raised_at < ${since} and (alarm.cleared_at is null or alarm.cleared_at > ${new Date(at)})
        and ${isOfScope(scope, 'alarm')}
    )
    select machine_id, id as alarm_id, key, rule_id, tag_id, value, limit_value, level, text, raised_at,
           (select count(*)::int from standing) as all
    from standing order by raised_at, id limit ${max}`.execute(db)
  return { rows, count: rows[0]?.all ?? 0 }
}
