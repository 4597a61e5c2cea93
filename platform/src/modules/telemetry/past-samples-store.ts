import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { type ChunkSamples, valuesBefore } from './store/chunk.ts'
import type { SampleReads } from './store/sample-reads.ts'
import type { SampleTaker } from './store/sample-taker.ts'
import { isCounting, type TagType } from './tag-type.ts'

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

/** A sample that has a value. */
export interface PastSample {
  readonly tagId: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly value: boolean | number | bigint | string
}

/** A live sample with the instant of its arrival. */
export interface LiveSample extends PastSample {
  readonly receivedAt: number
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

/** A span of time, by the times of the samples; `to` excluded. */
interface Span {
  readonly from: number
  readonly to: number
}

/** About how many samples there are, counted up to `max`; those without a value count, too. */
export function countPastSamples(
  reads: SampleReads,
  versions: readonly TagVersion[],
  span: Span,
  max: number,
): Promise<number> {
  return reads.count(versions, span, max)
}

/** The samples of a span that have a value, late ones as well, in the order of their times. */
export async function listPastSamples(
  reads: SampleReads,
  versions: readonly TagVersion[],
  span: Span,
): Promise<PastSample[]> {
  const found: PastSample[] = []
  const takings = versions.map(({ id, type }) => ({ id, type, taker: new PastTaker(id, found) }))
  await reads.read(takings, span)
  return found.sort((a, b) => a.at - b.at)
}

class PastTaker implements SampleTaker {
  readonly keepsNothing = true
  readonly #tagId: number
  readonly #found: PastSample[]

  constructor(tagId: number, found: PastSample[]) {
    this.#tagId = tagId
    this.#found = found
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    const { times, qualities, filled, column } = samples
    let next = valuesBefore(samples, from)
    for (let place = from; place < to; place++) {
      if (filled[place] !== 1) continue
      const stored = column.values[next++] as number | bigint | string
      if (!isCounting(qualities[place] as number)) continue
      const value = column.type === 'bool' ? stored !== 0 : stored
      this.#found.push({ tagId: this.#tagId, at: times[place] as number, value })
    }
  }
}
