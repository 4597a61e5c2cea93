import type { telemetry as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { sparkBucketMs } from './spark-ring.ts'
import type { TagType } from './tag-type.ts'

export interface TagIdentity {
  readonly id: number
  readonly machineId: number
  readonly type: TagType
}

/** What tags are, retired versions included; unknown ids are left out. */
export async function listTagIdentities(db: Database, tagIds: readonly number[]): Promise<TagIdentity[]> {
  if (tagIds.length === 0) return []
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'machine_id', 'type'])
    .where('id', 'in', [...tagIds])
    .execute()
  return rows.map((row) => ({ id: row.id, machineId: row.machine_id, type: row.type as TagType }))
}

export interface SparkBucket {
  readonly tagId: number
  readonly at: number
  readonly mean: number
  readonly count: number
}

/** Means of numbers and switches in buckets of a sparkline, live samples only. */
export async function listSparkBuckets(
  db: Database,
  tagIds: readonly number[],
  from: number,
  to: number,
): Promise<SparkBucket[]> {
  const { rows } = await sql<SparkBucket>`
    select tag_id as "tagId", (extract(epoch from bucket) * 1000)::float8 as at, avg(value) as mean, count(*)::int as count
    from (
      select tag_id, coalesce(num, int::float8) as value,
             date_bin(make_interval(secs => ${sparkBucketMs / 1000}), at, 'epoch'::timestamptz) as bucket
      from samples
      where tag_id = any(${tagIds}::bigint[]) and at >= ${new Date(from)} and at <= ${new Date(to)}
        and (num is not null or int is not null)
    ) taken
    group by tag_id, bucket`.execute(db)
  return rows
}

export interface HistoryQuery {
  readonly tagIds: readonly number[]
  readonly from: number
  readonly to: number
}

/** A point as its columns hold it: numbers as text where they may not fit a double. */
export interface HistoryRow {
  readonly tagId: number
  readonly at: number
  readonly value: string | null
  readonly low: number | null
  readonly high: number | null
}

/** Samples in their time, the first that arrived of those with one time (decision 45); those with a value first. */
const distinctSamples = ({ tagIds, from, to }: HistoryQuery) => sql`
  select distinct on (tag_id, at) tag_id, at, num, int, text
  from samples
  where tag_id = any(${tagIds}::bigint[]) and at >= ${new Date(from)} and at < ${new Date(to)}
  order by tag_id, at, received_at, ctid`

/** What is stored, one by one, at most `pointsMax` of each tag. */
export async function listRawPoints(
  db: Database,
  query: HistoryQuery,
  pointsMax: number,
): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select tag.id as "tagId", (extract(epoch from point.at) * 1000)::float8 as at,
           coalesce(num::text, int::text, text) as value,
           coalesce(num, int::float8) as low, coalesce(num, int::float8) as high
    from unnest(${query.tagIds}::bigint[]) as tag (id)
    cross join lateral (
      select distinct on (at) at, num, int, text
      from samples
      where tag_id = tag.id and at >= ${new Date(query.from)} and at < ${new Date(query.to)}
      order by at, received_at, ctid
      limit ${pointsMax}
    ) point
    order by tag.id, point.at`.execute(db)
  return rows
}

/** One value an interval, beginning at `from`; intervals without a sample have none. */
export async function listBuckets(
  db: Database,
  query: HistoryQuery,
  options: { type: TagType; agg: Exclude<contract.Aggregate, 'raw'>; intervalMs: number },
): Promise<HistoryRow[]> {
  const column = { float64: sql`num`, int64: sql`int`, bool: sql`int`, string: sql`text` }[options.type]
  const isNumber = options.type === 'float64' || options.type === 'int64'
  // A switch or a text has no mean: what it was last says most.
  const agg = isNumber || options.agg === 'first' || options.agg === 'count' ? options.agg : 'last'
  const first = sql`(array_agg(${column} order by at))[1]`
  const last = sql`(array_agg(${column} order by at desc))[1]`
  const value = {
    avg: isNumber ? sql`avg(${column})::float8` : last,
    min: isNumber ? sql`min(${column})` : last,
    max: isNumber ? sql`max(${column})` : last,
    sum: isNumber ? sql`sum(${column})` : last,
    delta: isNumber ? sql`${last} - ${first}` : last,
    count: sql`count(*)`,
    first,
    last,
  }[agg]
  const bounds = isNumber
    ? sql`min(${column})::float8 as low, max(${column})::float8 as high`
    : sql`null::float8 as low, null::float8 as high`
  const { rows } = await sql<HistoryRow>`
    select tag_id as "tagId", (extract(epoch from bucket) * 1000)::float8 as at, (${value})::text as value, ${bounds}
    from (
      select *, date_bin(make_interval(secs => ${options.intervalMs / 1000}), at, ${new Date(query.from)}) as bucket
      from (${distinctSamples(query)}) kept
      where ${column} is not null
    ) binned
    group by tag_id, bucket
    order by tag_id, bucket`.execute(db)
  return rows
}
