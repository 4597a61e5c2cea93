import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../kernel/database/database.ts'
import { earliestAt, isTimeBelieved } from './judge-sample.ts'
import { type LostRecord, uplinkLimits } from './uplink-record.ts'

/** A stretch of time whose samples a machine had to drop, epoch milliseconds. */
export interface LostSpan {
  readonly machineId: number
  readonly from: number
  readonly to: number
  readonly samples: number
  readonly receivedAt: number
}

/** The lost span that a machine reports, if it is possible: between 2000 and now, in order, not empty. */
export function judgeLost(
  machineId: number,
  { from, to, samples }: LostRecord,
  receivedAt: number,
): LostSpan | undefined {
  if (!(from >= earliestAt && from <= to && isTimeBelieved(to, true, receivedAt))) return undefined
  if (!Number.isSafeInteger(samples) || samples < 1) return undefined
  return { machineId, from, to, samples, receivedAt }
}

/**
 * Stores machines' lost spans and answers the new ones. A span that is sent again changes nothing; beyond the limit of
 * a machine those that ended first go.
 */
export async function createLostSpans(
  client: pg.ClientBase,
  spans: readonly LostSpan[],
): Promise<LostSpan[]> {
  const { rows } = await client.query<{ machine_id: number; from_at: Date; to_at: Date }>(
    `insert into lost_spans (machine_id, from_at, to_at, samples, received_at)
     select lost.* from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::timestamptz[])
       as lost (machine_id, from_at, to_at, samples, received_at)
     join machines on machines.id = lost.machine_id
     on conflict (machine_id, from_at, to_at) do nothing
     returning machine_id, from_at, to_at`,
    [
      spans.map(({ machineId }) => machineId),
      spans.map(({ from }) => new Date(from)),
      spans.map(({ to }) => new Date(to)),
      spans.map(({ samples }) => samples),
      spans.map(({ receivedAt }) => new Date(receivedAt)),
    ],
  )
  if (rows.length === 0) return []
  const keyOf = (machineId: number, from: number, to: number) => `${machineId}/${from}/${to}`
  const fresh = new Set(rows.map((row) => keyOf(row.machine_id, row.from_at.getTime(), row.to_at.getTime())))
  await client.query(
    `delete from lost_spans using (
       select machine_id, from_at, to_at,
              row_number() over (partition by machine_id order by to_at desc, from_at desc) as place
       from lost_spans where machine_id = any($1::bigint[])
     ) ranked
     where ranked.place > $2 and lost_spans.machine_id = ranked.machine_id
       and lost_spans.from_at = ranked.from_at and lost_spans.to_at = ranked.to_at`,
    [[...new Set(rows.map((row) => row.machine_id))], uplinkLimits.lostSpansMax],
  )
  return spans.filter(({ machineId, from, to }) =>
    fresh.delete(keyOf(machineId, Math.trunc(from), Math.trunc(to))),
  )
}

/** The spans that machines reported in a stretch of time, the earliest first. */
export async function listReportedLosses(
  db: Database,
  machineIds: readonly number[],
  after: Date,
  until: Date,
): Promise<LostSpan[]> {
  if (machineIds.length === 0) return []
  const rows = await db
    .selectFrom('lost_spans')
    .selectAll()
    .where('received_at', '>', after)
    .where('received_at', '<=', until)
    .where('machine_id', '=', sql<number>`any(${[...machineIds]}::bigint[])`)
    .orderBy('received_at')
    .execute()
  return rows.map(({ machine_id, from_at, to_at, samples, received_at }) => ({
    ...{ machineId: machine_id, from: from_at.getTime(), to: to_at.getTime(), samples },
    receivedAt: received_at.getTime(),
  }))
}
