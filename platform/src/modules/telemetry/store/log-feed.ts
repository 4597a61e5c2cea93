import { sql } from 'kysely'
import type { Database } from '../../../kernel/database/database.ts'
import type { LogRow } from './sample-log.ts'
import type { LogName } from './tail.ts'

/** A reader's position in a log: the rows up to `seq` are read, but for some that were not committed yet. */
export interface LogPosition extends LogName {
  readonly seq: number
  readonly missing: readonly number[]
}

/** A row, as the reader of all logs gets it. */
export interface FedRow extends LogRow {
  readonly committedAt: Date
}

/** A log in which something was found, or nothing. */
interface FoundLog extends LogName {
  /** Every row up to here is in chunks, or will never be committed. */
  readonly settled: number
  /** The numbers of the rows that were found. */
  readonly found: ReadonlySet<number>
}

/** The rows that a reader of all logs has not read. */
export interface Feed {
  readonly logs: readonly FoundLog[]
  /** The rows to be taken now, in their order. */
  readonly rows: readonly FedRow[]
  /** Whether there are more rows than these. */
  readonly isMore: boolean
}

/** Rows of each log that are read at a time: each may hold thousands of samples. */
const rowsPerLog = 64
/** The last rows of a log that is not read to its end, beside which there may be older ones of another lane of commits. */
const unsureRows = 8

interface RowColumns extends LogName {
  readonly settled: number
  /** Null of a log without news. */
  readonly seq: number | null
  readonly bytes: Buffer
  /** Number of transactions since the one that wrote it. */
  readonly age: number
  readonly committedAt: Date
}

/**
 * Reads what is new in the logs of all processes, as one snapshot. A machine's samples come in the order in which they were
 * committed, also where it went to another process between two commits: a commit of it is begun after the former one
 * ended, so its transaction has the higher number.
 */
export async function readFeed(db: Database, positions: readonly LogPosition[]): Promise<Feed> {
  const known = positions.map(({ nodeId, incarnation, seq, missing }) => ({
    ...{ node_id: nodeId, incarnation, seq, missing },
  }))
  const { rows } = await sql<RowColumns>`
    select position.node_id as "nodeId", position.incarnation, position.seq as settled,
           log.seq, log.bytes, log.age, log.at as "committedAt"
    from sample_log_positions position
    left join jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      as known (node_id text, incarnation text, seq bigint, missing bigint[]) using (node_id, incarnation)
    left join lateral (
      (select seq, bytes, age(xmin) as age, committed_at as at from sample_log
       where node_id = position.node_id and incarnation = position.incarnation and seq > coalesce(known.seq, 0)
       order by seq limit ${sql.lit(rowsPerLog)})
      union all
      select seq, bytes, age(xmin), committed_at from sample_log
      where node_id = position.node_id and incarnation = position.incarnation and seq = any(known.missing)
    ) log on true`.execute(db)
  return inOrder(rows)
}

/** The last row of each log. */
export async function listLogEnds(db: Database): Promise<LogPosition[]> {
  const { rows } = await sql<LogName & { seq: number | null }>`
    select node_id as "nodeId", incarnation, last.seq
    from sample_log_positions position
    cross join lateral (
      select max(log.seq) as seq from sample_log log
      where log.node_id = position.node_id and log.incarnation = position.incarnation
    ) last`.execute(db)
  return rows.map(({ seq, ...log }) => ({ ...log, seq: seq ?? 0, missing: [] }))
}

/** The positions after some rows of a feed were taken. */
export function advance(
  positions: readonly LogPosition[],
  { logs }: Feed,
  taken: readonly FedRow[],
): LogPosition[] {
  const before = new Map(positions.map((position) => [nameOf(position), position]))
  const takenOf = Map.groupBy(taken, nameOf)
  return logs.map((log) => {
    const { nodeId, incarnation, settled, found } = log
    const { seq: from, missing: known } = before.get(nameOf(log)) ?? { seq: 0, missing: [] }
    const seqs = new Set(takenOf.get(nameOf(log))?.map((row) => row.seq))
    const seq = Math.max(from, ...seqs)
    const missing = known.filter((each) => !seqs.has(each) && (each > settled || found.has(each)))
    for (let each = from + 1; each < seq; each++) if (!seqs.has(each)) missing.push(each)
    return { nodeId, incarnation, seq, missing }
  })
}

/** When the first row was committed that a reader has not read; undefined where it has read all. */
export async function findFirstUnread(
  db: Database,
  positions: readonly LogPosition[],
): Promise<Date | undefined> {
  const read = positions.map(({ nodeId, incarnation, seq }) => ({ node_id: nodeId, incarnation, seq }))
  const { rows } = await sql<{ at: Date | null }>`
    select min(first.at) as at
    from sample_log_positions position
    left join jsonb_to_recordset(${JSON.stringify(read)}::jsonb)
      as read (node_id text, incarnation text, seq bigint) using (node_id, incarnation)
    cross join lateral (
      select committed_at as at from sample_log log
      where log.node_id = position.node_id and log.incarnation = position.incarnation
        and log.seq > coalesce(read.seq, 0)
      order by log.seq limit 1
    ) first`.execute(db)
  return rows[0]?.at ?? undefined
}

const nameOf = ({ nodeId, incarnation }: LogName): string => `${nodeId} ${incarnation}`

/** Oldest first. Rows of a restored database have one age. */
const byOrder = (a: RowColumns, b: RowColumns): number =>
  b.age - a.age || a.committedAt.getTime() - b.committedAt.getTime() || (a.seq ?? 0) - (b.seq ?? 0)

/** Puts the rows of all logs in one order, and leaves those out that a row which was not read may come before. */
function inOrder(columns: readonly RowColumns[]): Feed {
  const logs = Array.from(Map.groupBy(columns, nameOf).values(), (all) => {
    const rows = all.filter(({ seq }) => seq !== null).sort(byOrder)
    return { first: all[0] as RowColumns, rows }
  })
  const ends = logs.flatMap(({ rows }) => (rows.length < rowsPerLog ? [] : (rows.at(-unsureRows) ?? [])))
  const rows = logs
    .flatMap(({ rows }) => {
      const others = ends.filter((end) => !rows.includes(end))
      return rows.filter((row) => others.every((end) => byOrder(row, end) <= 0))
    })
    .sort(byOrder)
  return {
    logs: logs.map(({ first: { nodeId, incarnation, settled }, rows }) => ({
      ...{ nodeId, incarnation, settled },
      found: new Set(rows.map(({ seq }) => seq as number)),
    })),
    rows: rows as readonly (RowColumns & FedRow)[],
    isMore: ends.length > 0,
  }
}
