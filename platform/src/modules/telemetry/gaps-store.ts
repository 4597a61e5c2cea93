import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'

/** A stretch of time, epoch milliseconds. */
export type Span = readonly [from: number, to: number]

interface ConnectionRow {
  machine_id: number
  started: number
  ended: number
  is_open: boolean
  known_from: number
}

/** When a machine was connected, and since when it is known at all; an open connection lasts until now. */
export interface Connected {
  readonly knownFrom: number
  readonly spans: Span[]
  /** Whether one of the spans goes on. */
  isOpen: boolean
}

/**
 * When each machine was connected within a stretch of time, in order. A connection that is open lasts until `now`. Machines never seen by their present owner are left out.
 */
export async function listConnectedSpans(
  db: Database,
  machineIds: readonly number[],
  range: { readonly from: number; readonly to: number; readonly now: number },
): Promise<Map<number, Connected>> {
  const { rows } = await sql<ConnectionRow>`
    select machine.id as machine_id,
           (extract(epoch from greatest(known.started_at, machine.owned_since)) * 1000)::float8 as known_from,
           (extract(epoch from greatest(connection.started_at, machine.owned_since)) * 1000)::float8 as started,
           (extract(epoch from coalesce(connection.ended_at, ${new Date(range.now)})) * 1000)::float8 as ended,
           connection.id is not null and connection.ended_at is null as is_open
    from machines machine
    cross join lateral (
      select started_at from machine_connections
      where machine_id = machine.id
        and (machine.owned_since is null or ended_at is null or ended_at > machine.owned_since)
      order by started_at limit 1
    ) known
    left join machine_connections connection
      on connection.machine_id = machine.id and connection.started_at < ${new Date(range.to)}
      and coalesce(connection.ended_at, ${new Date(range.now)}) > greatest(${new Date(range.from)}, machine.owned_since)
    where machine.id = any(${machineIds}::bigint[])
    order by machine.id, connection.started_at`.execute(db)
  const byMachine = new Map<number, Connected>()
  for (const row of rows) {
    const known = byMachine.get(row.machine_id) ?? { knownFrom: row.known_from, spans: [], isOpen: false }
    byMachine.set(row.machine_id, known)
    if (row.started !== null) known.spans.push([row.started, row.ended])
    known.isOpen ||= row.is_open
  }
  return byMachine
}

/** A machine's last connection, epoch milliseconds; null: it goes on. */
export interface LastConnection {
  readonly machineId: number
  readonly startedAt: number
  readonly endedAt: number | null
}

/** The last connections of machines; those never seen by their present owner are left out. */
export async function listLastConnections(
  db: Database,
  machineIds: readonly number[],
): Promise<LastConnection[]> {
  const { rows } = await sql<LastConnection>`
    select machine.id as "machineId", (extract(epoch from last.started_at) * 1000)::float8 as "startedAt",
           (extract(epoch from last.ended_at) * 1000)::float8 as "endedAt"
    from machines machine
    cross join lateral (
      select started_at, ended_at from machine_connections
      where machine_id = machine.id
        and (machine.owned_since is null or ended_at is null or ended_at > machine.owned_since)
      order by started_at desc, id desc limit 1
    ) last
    where machine.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return rows
}

/** The parts of `[from, to)` that no span covers; spans are in order of their begin and may overlap. */
export function gapsBetween(spans: readonly Span[], from: number, to: number): Span[] {
  const gaps: Span[] = []
  let coveredTo = from
  for (const [start, end] of spans) {
    if (start >= to) break
    if (start > coveredTo) gaps.push([coveredTo, start])
    coveredTo = Math.max(coveredTo, end)
  }
  if (coveredTo < to) gaps.push([coveredTo, to])
  return gaps
}

/** Times in which a machine that was known by then was not connected; `known` is of at least this stretch. */
export function gapsOf(
  known: Connected | undefined,
  range: { readonly from: number; readonly to: number; readonly now: number },
): Span[] {
  const from = Math.max(range.from, known?.knownFrom ?? Number.POSITIVE_INFINITY)
  const to = Math.min(range.to, range.now)
  return known && from < to ? gapsBetween(known.spans, from, to) : []
}

/** Samples a machine had to drop; `from` and `to` are the times of the first and the last of them. */
export interface LostSamples {
  readonly machineId: number
  readonly from: number
  readonly to: number
  readonly samples: number
}

/** The spans that machines report as dropped within a stretch of time, in order (rules/telemetry.md: gaps). */
export async function listLostSpans(
  db: Database,
  machineIds: readonly number[],
  range: { readonly from: number; readonly to: number },
): Promise<LostSamples[]> {
  if (machineIds.length === 0) return []
  const rows = await db
    .selectFrom('lost_spans')
    .select(['machine_id', 'from_at', 'to_at', 'samples'])
    .where('machine_id', '=', sql<number>`any(${[...machineIds]}::bigint[])`)
    .where('from_at', '<', new Date(range.to))
    .where('to_at', '>=', new Date(range.from))
    .orderBy('from_at')
    .execute()
  return rows.map((row) => ({
    machineId: row.machine_id,
    from: row.from_at.getTime(),
    to: row.to_at.getTime(),
    samples: row.samples,
  }))
}
