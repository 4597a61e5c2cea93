import { type telemetry as contract, limits } from '@busbar/contract'
import type { Database } from '../../database/database.ts'
import { listGaps, type Span } from './gaps-store.ts'
import {
  type HistoryRow,
  listBuckets,
  listRawPoints,
  listTagIdentities,
  type TagIdentity,
} from './history-store.ts'
import type { TagType } from './tag-type.ts'
import { presentValue } from './telemetry-views.ts'

export interface HistoryRequest {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  /** How many intervals the time is cut into; or `intervalMs`. */
  readonly points?: number | undefined
  readonly intervalMs?: number | undefined
  readonly agg: contract.Aggregate
}

export type HistoryPoint = [number, contract.TagValue, number | null, number | null]

export interface History {
  readonly series: { tagId: number; points: HistoryPoint[] }[]
  readonly gaps: [number, number][]
}

/** Series of tags, in the order they were asked for, with the times in which a machine of theirs was away. */
export async function readHistory(db: Database, request: HistoryRequest, now: number): Promise<History> {
  const tags = await listTagIdentities(db, request.tagIds)
  const pointsByTag = new Map<number, HistoryPoint[]>()
  const typeOf = new Map(tags.map((tag) => [tag.id, tag.type]))
  if (request.to > request.from) {
    for (const row of await readRows(db, request, tags)) {
      const points = pointsByTag.get(row.tagId) ?? []
      pointsByTag.set(row.tagId, points)
      const type = typeOf.get(row.tagId)
      const value = pointValue(row, type, request.agg)
      // A switch has no least and greatest.
      points.push(type === 'bool' ? [row.at, value, null, null] : [row.at, value, row.low, row.high])
    }
  }
  const machineIds = [...new Set(tags.map((tag) => tag.machineId))]
  const gaps = await Promise.all(
    machineIds.map((machineId) => listGaps(db, machineId, { from: request.from, to: request.to, now })),
  )
  return {
    series: request.tagIds.map((tagId) => ({ tagId, points: pointsByTag.get(tagId) ?? [] })),
    gaps: mergeSpans(gaps.flat()),
  }
}

async function readRows(
  db: Database,
  request: HistoryRequest,
  tags: readonly TagIdentity[],
): Promise<HistoryRow[]> {
  const { agg, from, to } = request
  if (agg === 'raw') {
    const query = { tagIds: tags.map((tag) => tag.id), from, to }
    return listRawPoints(db, query, request.points ?? limits.historyPointsMax)
  }
  const intervalMs = intervalOf(request)
  const types = [...new Set(tags.map((tag) => tag.type))]
  const rows = await Promise.all(
    types.map((type) => {
      const tagIds = tags.filter((tag) => tag.type === type).map((tag) => tag.id)
      return listBuckets(db, { tagIds, from, to }, { type, agg, intervalMs })
    }),
  )
  return rows.flat()
}

/** An interval that gives no more points than are allowed. */
export function intervalOf(request: Pick<HistoryRequest, 'from' | 'to' | 'points' | 'intervalMs'>): number {
  const span = request.to - request.from
  const wanted = request.intervalMs ?? Math.ceil(span / (request.points ?? limits.historyPointsDefault))
  return Math.max(1, wanted, Math.ceil(span / limits.historyPointsMax))
}

function pointValue(row: HistoryRow, type: TagType | undefined, agg: contract.Aggregate): contract.TagValue {
  if (row.value === null) return null
  if (agg === 'count') return Number(row.value)
  if (type === 'string') return row.value
  if (type === 'bool') return row.value !== '0'
  // A mean of integers, or a sum beyond 64 bits, is a number like others.
  return type === 'int64' && /^-?\d+$/.test(row.value) ? presentValue(BigInt(row.value)) : Number(row.value)
}

function mergeSpans(spans: readonly Span[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
