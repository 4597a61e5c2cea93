import { type RawBuilder, sql } from 'kysely'

const of = (alarm: string, column: string) => sql.ref(`${alarm}.${column}`)

/** The place of an alarm's level, by its alias in a statement: 3 is critical, 0 information. */
export const levelPlace = (alarm: string): RawBuilder<number> => sql`(case ${of(alarm, 'level')}
  when 'critical' then 3 when 'major' then 2 when 'minor' then 1 else 0 end)`

/**
 * How urgent an alarm is, by its alias in a statement: active and unacknowledged (12 and above), active, cleared and
 * unacknowledged, over; within each by level. The index `alarms_urgency` has this expression.
 */
export const urgencyOf = (alarm: string): RawBuilder<number> => sql`(case
  when ${of(alarm, 'cleared_at')} is null then case when ${of(alarm, 'confirmed_at')} is null then 12 else 8 end
  when ${of(alarm, 'confirmed_at')} is null then 4 else 0 end + ${levelPlace(alarm)})`
