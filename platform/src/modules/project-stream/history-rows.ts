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
  valuesBefore,
} from '../telemetry/index.ts'
import { IntervalRow } from './interval-row.ts'
import { type Reading, RowGatherer, rowOf } from './row-gatherer.ts'
import type { NewRow } from './stream-row.ts'
import { WantedTags } from './wanted-tags.ts'

/**
 * The rows that the history of one machine gives for a project, by time: those of the plan's variables, one for each
 * instant or interval, as its stream would have them.
 * @throws TooManySamples
 */
export async function readHistoryRows(
  { db, telemetry }: { readonly db: Database; readonly telemetry: Pick<Telemetry, 'readSamples'> },
  plan: ProjectPlan,
  span: { readonly from: number; readonly to: number },
  options: { readonly samplesMax: number; readonly signal?: AbortSignal },
): Promise<NewRow[]> {
  const wanted = new WantedTags()
  const machineIds = wanted.plan([plan])
  const tags = await listTagsOfMachines(db, machineIds)
  wanted.load(machineIds, tags)
  const ids = tags.flatMap(({ id }) => (wanted.outletsOf(id).length > 0 ? [id] : []))
  const gatherer = new RowGatherer(wanted)
  const takings = (await listTagTypes(db, ids)).map(({ id, type }) => {
    return { id, type, taker: new SinkTaker(gatherer, id, type) }
  })
  await telemetry.readSamples(takings, span, options)
  const readings = gatherer.readings.sort((a, b) => a.time - b.time)
  return plan.everyS === 0
    ? readings.map((reading) => rowOf(reading))
    : rowsOfIntervals(readings, plan.everyS)
}

/** The past has no times of arrival: its intervals are those of the samples' own times. */
function rowsOfIntervals(readings: readonly Reading[], everyS: number): NewRow[] {
  const rows = new Map<string, IntervalRow>()
  for (const reading of readings) {
    const from = Math.floor(reading.time / (everyS * 1_000))
    const key = `${reading.link.linkId} ${from}`
    const row = rows.get(key) ?? new IntervalRow(reading.link, from)
    rows.set(key, row)
    row.add(reading)
  }
  return [...rows.values()].map((row) => row.row())
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
