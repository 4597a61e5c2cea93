import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>
type Level = 'critical' | 'major' | 'minor' | 'info'

/** An alarm in a report; times are epoch milliseconds. */
export interface PeriodAlarm {
  readonly machineId: number
  readonly level: Level
  readonly text: unknown
  readonly raisedAt: number
  /** Null: it was active at the end of the period. */
  readonly clearedAt: number | null
  /** Its active time within the period, in ms. */
  readonly ms: number
  readonly count: number
  readonly confirmedById: number | null
  readonly confirmedBy: string | null
}

/** Alarms of a machine that were active in a period. */
export interface PeriodCounts {
  readonly machineId: number
  readonly critical: number
  readonly major: number
  readonly minor: number
  readonly info: number
  /** Number of those raised in the period. */
  readonly raised: number
  /** Time in which at least one of them was active, in ms. */
  readonly ms: number
}

export interface PeriodAlarms {
  readonly byMachine: readonly PeriodCounts[]
  readonly longest: readonly PeriodAlarm[]
  readonly latest: readonly PeriodAlarm[]
  readonly total: number
}

/** Alarms of machines that were active at some time of a period, since their present owner has them. */
export async function readPeriodAlarms(
  db: Db,
  machineIds: readonly number[],
  period: { readonly from: number; readonly to: number },
  max: { readonly longest: number; readonly latest: number },
): Promise<PeriodAlarms> {
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const stood = sql`
    select alarms.id, machine_id, level, text, raised_at, count, confirmed_by,
      case when cleared_at <= ${to} then cleared_at end as cleared_at,
      greatest(raised_at, ${from}::timestamptz) as began,
      least(coalesce(cleared_at, ${to}::timestamptz), ${to}::timestamptz) as ended
    from alarms
    where machine_id = any(${[...machineIds]}::bigint[]) and raised_at < ${to}
      and (cleared_at is null or cleared_at >= ${from})
      and ${isSinceOwned({ column: 'alarms.machine_id' }, 'alarms.received_at')}`
  const shown = (order: ReturnType<typeof sql>, limit: number) => sql<PeriodAlarm>`
    with stood as (${stood})
    select machine_id as "machineId", level, text, count,
      (extract(epoch from raised_at) * 1000)::float8 as "raisedAt",
      (extract(epoch from cleared_at) * 1000)::float8 as "clearedAt",
      (extract(epoch from ended - began) * 1000)::float8 as ms, confirmed_by as "confirmedById",
      (select users.name from users where users.id = confirmed_by) as "confirmedBy"
    from stood order by ${order} limit ${limit}`
  const counts = sql<PeriodCounts>`
    with stood as (${stood}),
    -- Stretches in which alarms of a machine overlap count once.
    marked as (
      select machine_id, began, ended,
        began > max(ended) over (partition by machine_id order by began, id rows between unbounded preceding and 1 preceding)
          as is_apart
      from stood
    ), islands as (
      select machine_id, began, ended,
        count(*) filter (where is_apart) over (partition by machine_id order by began) as island
      from marked
    ), spans as (
      select machine_id, max(ended) - min(began) as span from islands group by machine_id, island
    )
    select machine_id as "machineId",
      count(*) filter (where level = 'critical')::int as critical, count(*) filter (where level = 'major')::int as major,
      count(*) filter (where level = 'minor')::int as minor, count(*) filter (where level = 'info')::int as info,
      count(*) filter (where raised_at >= ${from})::int as raised,
      (select extract(epoch from sum(span)) * 1000 from spans where spans.machine_id = stood.machine_id)::float8 as ms
    from stood group by machine_id`
  const [all, longest, latest] = await Promise.all([
    counts.execute(db),
    shown(sql`ended - began desc, id desc`, max.longest).execute(db),
    shown(sql`raised_at desc, id desc`, max.latest).execute(db),
  ])
  const byMachine = all.rows
  const totalOf = (one: PeriodCounts) => one.critical + one.major + one.minor + one.info
  return {
    byMachine,
    longest: longest.rows,
    latest: latest.rows,
    total: byMachine.reduce((sum, one) => sum + totalOf(one), 0),
  }
}
