import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { storedValue } from './tag-registry.ts'
import { qualityNumber, type TagType } from './tag-type.ts'

/** Samples of other qualities say that there was no value. */
const counting = [qualityNumber.good, qualityNumber.uncertain]

/** A tag by the names its machine gives it. */
export interface NamedTag {
  readonly machineId: number
  readonly group: string
  readonly name: string
}

/** A version of a tag; each has an id of its own. */
export interface TagVersion extends NamedTag {
  readonly id: number
  readonly type: TagType
}

/** A live sample that has a value. Times are epoch milliseconds. */
export interface LiveSample {
  readonly tagId: number
  readonly at: number
  readonly receivedAt: number
  readonly value: boolean | number | bigint | string
}

interface SampleRow {
  readonly tagId: number
  readonly at: number
  readonly receivedAt: number
  readonly num: number | null
  readonly int: string | null
  readonly text: string | null
}

/** All versions of tags since their machine has its owner. */
export async function listTagVersions(db: Database, tags: readonly NamedTag[]): Promise<TagVersion[]> {
  if (tags.length === 0) return []
  const { rows } = await sql<TagVersion>`
    select tags.id, tags.machine_id as "machineId", group_name as "group", tags.name, type
    from tags join (
      select distinct * from unnest(${tags.map(({ machineId }) => machineId)}::bigint[],
        ${tags.map(({ group }) => group)}::text[], ${tags.map(({ name }) => name)}::text[])
        as wanted (machine_id, group_name, name)
    ) wanted using (machine_id, group_name, name)
    where disowned_at is null`.execute(db)
  return rows
}

/** What happened in a span of time, by the times of the samples; `to` excluded. */
interface Span {
  readonly from: number
  readonly to: number
}

const columns = sql`
  tag_id as "tagId", (extract(epoch from at) * 1000)::float8 as at,
  (extract(epoch from received_at) * 1000)::float8 as "receivedAt", num, int::text as int, text`

const ofTags = (versions: readonly TagVersion[], { from, to }: Span) => sql`
  tag_id = any(${versions.map(({ id }) => id)}::bigint[]) and at >= ${new Date(from)} and at < ${new Date(to)}
  and not late and quality = any(${counting}::smallint[])`

/** The number of live samples, counted no further than `max`. */
export async function countLiveSamples(
  db: Database,
  versions: readonly TagVersion[],
  span: Span,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from samples where ${ofTags(versions, span)} limit ${max}
    ) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** The live samples of a span in the order of their times. */
export async function listLiveSamples(
  db: Database,
  versions: readonly TagVersion[],
  span: Span,
): Promise<LiveSample[]> {
  if (versions.length === 0) return []
  const { rows } = await sql<SampleRow>`
    select ${columns} from samples where ${ofTags(versions, span)} order by samples.at, received_at`.execute(
    db,
  )
  return present(rows, versions)
}

function present(rows: readonly SampleRow[], versions: readonly TagVersion[]): LiveSample[] {
  const types = new Map(versions.map(({ id, type }) => [id, type]))
  return rows.flatMap(({ tagId, at, receivedAt, ...row }) => {
    const value = storedValue(types.get(tagId) ?? 'float64', row)
    return value === null ? [] : [{ tagId, at, receivedAt, value }]
  })
}
