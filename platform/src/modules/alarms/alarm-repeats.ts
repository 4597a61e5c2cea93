import { alarmLimits } from '@busbar/contract'
import { type RawBuilder, sql } from 'kysely'

const dayMs = 86_400_000

/** Alarms raised since then are one row with their repeats: of each, a list has to look for a later one. */
export const repeatsBegin = (at: Date): Date => new Date(at.getTime() - alarmLimits.alarmRepeatsDays * dayMs)

/**
 * Whether two alarms are repeats of one: of the same machine, rule and key, by their aliases in a statement. The index
 * `alarms_last` finds them.
 */
export function isRepeat(alarm: string, other: string): RawBuilder<boolean> {
  return sql<boolean>`${of(alarm, 'machine_id')} = ${of(other, 'machine_id')} and ${of(alarm, 'key')} = ${of(other, 'key')}
    and coalesce(${of(alarm, 'rule_id')}, 0) = coalesce(${of(other, 'rule_id')}, 0)`
}

const of = (alarm: string, column: string) => sql.ref(`${alarm}.${column}`)
