import type { Database } from '../../kernel/database/database.ts'
import type { ProjectPlan } from '../projects/index.ts'
import {
  type ChunkSamples,
  listTagsOfMachines,
  listTagTypes,
  type SampleSink,
  type SampleTaker,
  type TagType,
  type Telemetry,
  TooManySamples,
  valuesBefore,
} from '../telemetry/index.ts'
import { IntervalRow } from './interval-row.ts'
import { type Reading, RowGatherer, rowOf } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import { WantedTags } from './wanted-tags.ts'

/** A read begins short, and the next is longer: nobody knows how many samples history has. */
const windowMsFirst = 3_600_000
const windowMsMin = 10_000
const windowMsMax = 31 * 86_400_000
/** More samples are not read at once, but for a window of the least length. */
const samplesMax = 100_000

interface TypedTag {
  readonly id: number
  readonly type: TagType
}

interface Deps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'readSamples'>
}

/** The next rows of a history. */
export interface HistoryWindow {
  readonly rows: readonly NewRow[]
  /** All rows before this time were read. */
  readonly to: number
}

/**
 * The rows that the history of a machine gives for a project, by time: those of the plan's variables, one for each instant
 * or interval, as its stream would have them. Never of a time before the machine came to the project.
 */
export async function* readHistory(
  deps: Deps,
  plan: ProjectPlan,
  link: ProjectPlan['links'][number],
  span: { readonly from: number; readonly to: number },
  signal?: AbortSignal,
): AsyncGenerator<HistoryWindow> {
  const history = await MachineHistory.open(deps, { ...plan, links: [link] })
  const everyMs = plan.everyS * 1_000
  let windowMs = windowMsFirst
  let open: IntervalRow | undefined
  for (let from = Math.max(span.from, link.linkedAt.getTime()); from < span.to; ) {
    const to = Math.min(from + windowMs, span.to)
    const max = windowMs > windowMsMin ? samplesMax : undefined
    const readings = await history.read({ from, to }, max, signal)
    if (readings === undefined) {
      windowMs = Math.max(windowMsMin, windowMs / 4)
      continue
    }
    const rows: NewRow[] = []
    for (const reading of readings) {
      if (everyMs === 0) {
        rows.push(rowOf(reading))
        continue
      }
      // The past has no times of arrival: its intervals are those of the samples' own times.
      const interval = Math.floor(reading.time / everyMs)
      if (open?.from !== interval) {
        if (open) rows.push(open.row())
        open = new IntervalRow(reading.link, interval)
      }
      open.add(reading)
    }
    if (open && (to === span.to || (open.from + 1) * everyMs <= to)) {
      rows.push(open.row())
      open = undefined
    }
    yield { rows, to: open ? open.from * everyMs : to }
    from = to
    windowMs = Math.min(windowMs * 2, windowMsMax)
  }
}

/** The time before which a row has all values of its machine: behind its instant, or its interval. */
export function readUntilOf({ time }: NewRow, { everyS }: Pick<ProjectPlan, 'everyS'>): number {
  const everyMs = everyS * 1_000
  return everyMs === 0 ? time + 1 : (Math.floor(time / everyMs) + 1) * everyMs
}

/** The samples of the variables that a project gets of one machine. */
class MachineHistory {
  readonly #telemetry: Deps['telemetry']
  readonly #wanted: WantedTags
  readonly #tags: readonly TypedTag[]

  private constructor({ telemetry }: Deps, wanted: WantedTags, tags: readonly TypedTag[]) {
    this.#telemetry = telemetry
    this.#wanted = wanted
    this.#tags = tags
  }

  static async open(deps: Deps, plan: ProjectPlan): Promise<MachineHistory> {
    const wanted = new WantedTags()
    const machineIds = wanted.plan([plan])
    const tags = await listTagsOfMachines(deps.db, machineIds)
    wanted.load(machineIds, tags)
    const ids = tags.flatMap(({ id }) => (wanted.outletsOf(id).length > 0 ? [id] : []))
    return new MachineHistory(deps, wanted, await listTagTypes(deps.db, ids))
  }

  /** The readings of a stretch of time, in its order; undefined where they have too many samples. */
  async read(
    span: { readonly from: number; readonly to: number },
    max: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly Reading[] | undefined> {
    const gatherer = new RowGatherer(this.#wanted)
    const takings = this.#tags.map(({ id, type }) => {
      return { id, type, taker: new SinkTaker(gatherer, id, type) }
    })
    try {
      await this.#telemetry.readSamples(takings, span, { samplesMax: max, signal })
    } catch (error) {
      if (error instanceof TooManySamples) return undefined
      throw error
    }
    return gatherer.readings.sort((a, b) => a.time - b.time)
  }
}

/** Gives the samples of a variable on, one by one, as samples of the past. */
class SinkTaker implements SampleTaker {
  readonly keepsNothing = true
  readonly #sink: SampleSink
  readonly #tagId: number
  readonly #type: TagType

  constructor(sink: SampleSink, tagId: number, type: TagType) {
    this.#sink = sink
    this.#tagId = tagId
    this.#type = type
  }

  take(samples: ChunkSamples, from: number, to: number): void {
    const { times, qualities, filled, column } = samples
    let next = valuesBefore(samples, from)
    for (let place = from; place < to; place++) {
      const at = times[place] ?? 0
      const stored = filled[place] === 1 ? (column.values[next++] ?? null) : null
      const value = this.#type === 'bool' && stored !== null ? stored !== 0 : stored
      this.#sink.add(this.#tagId, this.#type, at, at, qualities[place] ?? 0, true, value, at)
    }
  }
}
