import type { TagType } from '../tag-type.ts'
import type { RowQuery } from './binary-rows.ts'
import type { ChunkSamples, ChunkValues } from './chunk.ts'

/** A tag and the type of its values. */
export interface TypedTag {
  readonly id: number
  readonly type: TagType
}

/** A stretch of time, epoch milliseconds, `to` excluded. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

const columns = 'tag_id, at, quality, late, num, int, text'

/** A time so short that most tags have few samples in it: reading all of them is faster than asking for each tag. */
const shortMs = 3_600_000

/** A query of samples that lie as rows. */
export interface SampleRowsQuery extends RowQuery {
  /** The result of each tag, when all rows were taken. */
  finish(): Map<number, ChunkSamples>
}

/**
 * The samples that lie as rows in `samples`, of each time the first that arrived; `rowsMax` of all tags together at most,
 * or the first ones of each tag. Tags without any are left out.
 */
export function sampleRowsQuery(
  tags: readonly TypedTag[],
  span: TimeSpan,
  {
    rowsMax,
    firstOfEach,
  }: { readonly rowsMax?: number | undefined; readonly firstOfEach?: number | undefined },
): SampleRowsQuery {
  if (firstOfEach !== undefined && span.to - span.from > shortMs) {
    const ofTag = `select distinct on (at) ${columns} from samples
      where tag_id = tag.id and ${during(span)} order by at, received_at, ctid limit ${firstOfEach}`
    const text = `select point.* from unnest(${idList(tags)}) as tag (id) cross join lateral (${ofTag}) point`
    return collecting(text, tags)
  }
  const limit = rowsMax === undefined ? '' : `limit ${rowsMax}`
  const text = `select distinct on (tag_id, at) ${columns} from samples
    where ${within(tags, span)} order by tag_id, at, received_at, ctid ${limit}`
  return collecting(text, tags)
}

/** The row of each tag next to a time: the last one before `span.to`, or the first one from `span.from` on. */
export function nearestRowsQuery(
  tags: readonly TypedTag[],
  span: TimeSpan,
  end: 'first' | 'last',
): SampleRowsQuery {
  const text = `select distinct on (tag_id) ${columns} from samples
    where ${within(tags, span)} order by tag_id, at ${end === 'last' ? 'desc' : ''}, received_at, ctid`
  return collecting(text, tags)
}

const within = (tags: readonly TypedTag[], span: TimeSpan): string =>
  `tag_id = any(${idList(tags)}) and ${during(span)}`

const during = ({ from, to }: TimeSpan): string => `at >= ${instant(from)} and at < ${instant(to)}`

/** Ids as SQL; they are numbers of ours. */
export const idList = (tags: readonly Pick<TypedTag, 'id'>[]): string =>
  `'{${tags.map(({ id }) => Number(id)).join(',')}}'::bigint[]`

/** The years that PostgreSQL and JavaScript write alike. */
const instantMax = Date.UTC(9999, 0)

const instant = (at: number): string =>
  `'${new Date(Math.min(Math.max(at, 0), instantMax)).toISOString()}'::timestamptz`

function collecting(text: string, tags: readonly TypedTag[]): SampleRowsQuery {
  const types = new Map(tags.map(({ id, type }) => [id, type]))
  const lists = new Map<number, SampleList>()
  return {
    text,
    row: (fields) => {
      const tagId = fields.number()
      let list = lists.get(tagId)
      if (!list) {
        list = new SampleList(types.get(tagId) ?? 'float64')
        lists.set(tagId, list)
      }
      list.add(fields.instant(), fields.number(), fields.boolean())
      list.addValue(fields.float(), fields.bigint(), fields.text())
    },
    finish: () => new Map(Array.from(lists, ([tagId, list]) => [tagId, list.finish()])),
  }
}

/** Samples as plain lists of numbers, one after the other. */
class SampleList {
  readonly #type: TagType
  readonly #times: number[] = []
  readonly #qualities: number[] = []
  readonly #lates: number[] = []
  readonly #filled: number[] = []
  readonly #values: (number | bigint | string)[] = []

  constructor(type: TagType) {
    this.#type = type
  }

  add(at: number, quality: number, isLate: boolean): void {
    this.#times.push(at)
    this.#qualities.push(quality)
    this.#lates.push(isLate ? 1 : 0)
  }

  addValue(num: number | null, int: bigint | null, text: string | null): void {
    const value = this.#valueOf(num, int, text)
    this.#filled.push(value === null ? 0 : 1)
    if (value !== null) this.#values.push(value)
  }

  finish(): ChunkSamples {
    return {
      times: Float64Array.from(this.#times),
      qualities: Uint16Array.from(this.#qualities),
      lates: Uint16Array.from(this.#lates),
      filled: Uint16Array.from(this.#filled),
      column: this.#column(),
      stamps: new Map(),
    }
  }

  #valueOf(num: number | null, int: bigint | null, text: string | null): number | bigint | string | null {
    if (this.#type === 'string') return text
    if (this.#type === 'int64') return int
    return num ?? (int === null ? null : Number(int))
  }

  #column(): ChunkValues {
    if (this.#type === 'string') return { type: 'string', values: this.#values as string[] }
    if (this.#type === 'int64') return { type: 'int64', values: BigInt64Array.from(this.#values as bigint[]) }
    return { type: this.#type, values: Float64Array.from(this.#values as number[]) }
  }
}
