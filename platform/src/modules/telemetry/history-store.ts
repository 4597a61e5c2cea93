import type { telemetry as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { sparkBucketMs } from './spark-ring.ts'
import { qualityNumber, type TagType } from './tag-type.ts'

/** Qualities that count as a value; the others say that there was none to be had. */
const countingQualities = [qualityNumber.good, qualityNumber.uncertain]

export interface SparkBucket {
  readonly tagId: number
  readonly at: number
  readonly mean: number
  readonly count: number
}

/** Means of numbers and switches in buckets of a sparkline. */
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
        and (num is not null or int is not null) and quality = any(${countingQualities}::smallint[])
    ) taken
    group by tag_id, bucket`.execute(db)
  return rows
}

export interface HistoryQuery {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
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
  /** As it is stored; of a bucket: bad without a value, uncertain where one of its values is. */
  readonly quality: number
}

/** A bucket's point, with the number of its samples, including those without a value. */
export interface BucketRow extends HistoryRow {
  readonly samples: number
}

/** How many samples a query would read, counted no further than `count`. */
export async function countSamplesUpTo(db: Database, query: HistoryQuery, count: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from samples
      where tag_id = any(${query.tagIds}::bigint[]) and at >= ${new Date(query.from)} and at < ${new Date(query.to)}
      limit ${count}
    ) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Samples in their time, the first that arrived of those with one time. */
const distinctSamples = ({ tagIds, from, to }: HistoryQuery) => sql`
  select distinct on (tag_id, at) tag_id, at, quality, num, int, text
  from samples
  where tag_id = any(${tagIds}::bigint[]) and at >= ${new Date(from)} and at < ${new Date(to)}
  order by tag_id, at, received_at, ctid`

const epochMs = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

/** The columns of a `HistoryRow` from those of a sample. */
const pointColumns = (from: string) => sql`
  ${epochMs(`${from}.at`)} as at, ${sql.ref(`${from}.quality`)} as quality,
  coalesce(${sql.ref(`${from}.num`)}::text, ${sql.ref(`${from}.int`)}::text, ${sql.ref(`${from}.text`)}) as value,
  coalesce(${sql.ref(`${from}.num`)}, ${sql.ref(`${from}.int`)}::float8) as low,
  coalesce(${sql.ref(`${from}.num`)}, ${sql.ref(`${from}.int`)}::float8) as high`

/** The stored samples one by one, at most `pointsMax` of each tag. */
export async function listRawPoints(
  db: Database,
  query: HistoryQuery,
  pointsMax: number,
): Promise<HistoryRow[]> {
  if (query.tagIds.length === 0) return []
  const { rows } = await sql<HistoryRow>`
    select tag.id as "tagId", ${pointColumns('point')}
    from unnest(${query.tagIds}::bigint[]) as tag (id)
    cross join lateral (
      select distinct on (at) at, quality, num, int, text
      from samples
      where tag_id = tag.id and at >= ${new Date(query.from)} and at < ${new Date(query.to)}
      order by at, received_at, ctid
      limit ${pointsMax}
    ) point
    order by tag.id, point.at`.execute(db)
  return rows
}

/**
 * The same of tags that have few, or in a short time: read in one pass instead of one a tag, which the open day, without
 * an index by tag, would pay for.
 */
export async function listFewPoints(
  db: Database,
  query: HistoryQuery,
  pointsMax: number,
): Promise<HistoryRow[]> {
  if (query.tagIds.length === 0) return []
  const { rows } = await sql<HistoryRow>`
    select tag_id as "tagId", ${pointColumns('kept')}
    from (
      select *, row_number() over (partition by tag_id order by at) as place from (${distinctSamples(query)}) one
    ) kept
    where place <= ${pointsMax}
    order by tag_id, kept.at`.execute(db)
  return rows
}

/**
 * Samples in which something changed, value or quality, with the first of every interval and the last of all: enough to
 * draw what a state was at every instant. At most `pointsMax` of each tag.
 */
export async function listChanges(
  db: Database,
  query: HistoryQuery,
  options: { intervalMs: number; pointsMax: number },
): Promise<HistoryRow[]> {
  if (query.tagIds.length === 0) return []
  const { rows } = await sql<HistoryRow>`
    select tag_id as "tagId", ${pointColumns('told')}
    from (
      select *, row_number() over (partition by tag_id order by at) as place
      from (
        select *,
               (quality, num, int, text) is distinct from
                 (lag(quality) over seen, lag(num) over seen, lag(int) over seen, lag(text) over seen)
               or bucket is distinct from lag(bucket) over seen
               or lead(at) over seen is null as tells
        from (
          select *, ${bucketOf(query, options.intervalMs)} as bucket from (${distinctSamples(query)}) kept
        ) binned
        window seen as (partition by tag_id order by at)
      ) compared
      where tells
    ) told
    where place <= ${options.pointsMax}
    order by tag_id, told.at`.execute(db)
  return rows
}

const bucketOf = ({ from }: HistoryQuery, intervalMs: number) =>
  sql`date_bin(make_interval(secs => ${intervalMs / 1000}), at, ${new Date(from)})`

/** One value an interval, beginning at `from`; intervals without a sample have none. */
export async function listBuckets(
  db: Database,
  query: HistoryQuery,
  options: { type: TagType; agg: Exclude<contract.Aggregate, 'raw'>; intervalMs: number },
): Promise<BucketRow[]> {
  if (query.tagIds.length === 0) return []
  const column = { float64: sql`num`, int64: sql`int`, bool: sql`int`, string: sql`text` }[options.type]
  const isNumber = options.type === 'float64' || options.type === 'int64'
  // A switch or a text has no mean: what it was last says most.
  const agg = isNumber || options.agg === 'first' || options.agg === 'count' ? options.agg : 'last'
  const known = sql`filter (where known is not null)`
  const first = sql`(array_agg(known order by at) ${known})[1]`
  const last = sql`(array_agg(known order by at desc) ${known})[1]`
  const value = {
    avg: isNumber ? sql`avg(known)::float8` : last,
    min: isNumber ? sql`min(known)` : last,
    max: isNumber ? sql`max(known)` : last,
    sum: isNumber ? sql`sum(known)` : last,
    delta: isNumber ? sql`${last} - ${first}` : last,
    count: sql`count(known)`,
    first,
    last,
  }[agg]
  const bounds =
    options.type === 'string'
      ? sql`null::float8 as low, null::float8 as high`
      : sql`min(known)::float8 as low, max(known)::float8 as high`
  const { rows } = await sql<BucketRow>`
    select tag_id as "tagId", ${epochMs('bucket')} as at, (${value})::text as value, ${bounds},
           case when count(known) = 0 then ${qualityNumber.bad}::int
                when bool_or(known is not null and quality = ${qualityNumber.uncertain}) then ${qualityNumber.uncertain}::int
                else ${qualityNumber.good}::int end as quality,
           count(*)::int as samples
    from (
      select tag_id, at, quality, ${bucketOf(query, options.intervalMs)} as bucket,
             case when quality = any(${countingQualities}::smallint[]) then ${column} end as known
      from (${distinctSamples(query)}) kept
    ) binned
    group by tag_id, bucket
    order by tag_id, bucket`.execute(db)
  return rows
}

/** The samples next to a stretch of time. */
export interface HistoryEdges {
  readonly before: readonly HistoryRow[]
  readonly after: readonly HistoryRow[]
}

/**
 * The last sample before `from` and the first from `to` on, of each tag, no further away than `reachMs`; before it also
 * the newest value of all, however old.
 */
export async function listEdges(db: Database, query: HistoryQuery, reachMs: number): Promise<HistoryEdges> {
  if (query.tagIds.length === 0) return { before: [], after: [] }
  const { tagIds, from, to } = query
  const before = sql<HistoryRow>`
    select distinct on (tag_id) tag_id as "tagId", ${pointColumns('candidate')}
    from (
      select tag_id, at, received_at, quality, num, int, text from samples
      where tag_id = any(${tagIds}::bigint[]) and at >= ${new Date(from - reachMs)} and at < ${new Date(from)}
      union all
      select tag_id, at, received_at, quality, num, int, text from tag_latest
      where tag_id = any(${tagIds}::bigint[]) and at < ${new Date(from)}
    ) candidate
    order by tag_id, candidate.at desc, received_at`.execute(db)
  const after = sql<HistoryRow>`
    select distinct on (tag_id) tag_id as "tagId", ${pointColumns('samples')}
    from samples
    where tag_id = any(${tagIds}::bigint[]) and at >= ${new Date(to)} and at < ${new Date(to + reachMs)}
    order by tag_id, samples.at, received_at, ctid`.execute(db)
  const [{ rows: befores }, { rows: afters }] = await Promise.all([before, after])
  return { before: befores, after: afters }
}
