import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import { listDays } from '../../../kernel/database/day-partitions.ts'
import type { ClockJob } from '../../../kernel/jobs/index.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { Slices } from '../../../kernel/slices.ts'
import { mergeMinutes, writeAverages } from './average-rows.ts'
import { type BinaryFields, readRows } from './binary-rows.ts'
import { fetchChunks, type HourSpan, type StoredChunk } from './chunk-fetch.ts'
import { chunkDays, copyParts, dayStartOf, foldedPart, hourMs, hourOf, hoursPerDay } from './chunk-rows.ts'
import type { DamagedChunks } from './damaged-chunks.ts'
import { type Folded, foldDay, foldHour, smallSamplesMax } from './fold-unit.ts'
import type { TypedTag } from './sample-rows.ts'

/** Late samples that come within this time are folded along with their hour. */
const closedAfterMs = 5 * 60_000
/** A day is folded when its last hour surely was. */
const dayClosedAfterMs = 2 * hourMs
const everyS = 60
/** A run ends after this, and goes on with the next. */
const runMsMax = 30_000
/** Hours of tags in one transaction. */
const unitsMax = 128

/** An hour or a day of a tag. */
interface Unit {
  readonly hour: number
  readonly tagId: number
}

const firstUnit: Unit = { hour: -1, tagId: -1 }

/** The chunks that a fold read are not there any more: another process folded them, or they were deleted. */
class ChunksMoved extends Error {
  override name = 'ChunksMoved'
}

/**
 * Folds the parts of closed hours into one chunk each, with averages of its minutes and of the hour, and the small
 * chunks of closed days into one of the day. Readers see the same values throughout: each step is one transaction.
 */
export class Folding {
  readonly #db: Database
  readonly #logger: Logger
  readonly #damaged: DamagedChunks
  /** The end of the last run; damaged chunks stay behind, and are tried again after all others. */
  #after = firstUnit
  /** The days up to this hour were checked. */
  #daysDoneIn = 0

  constructor(options: { samplesDb: Database; logger: Logger; damaged: DamagedChunks }) {
    this.#db = options.samplesDb
    this.#logger = options.logger
    this.#damaged = options.damaged
  }

  get job(): ClockJob {
    return { name: 'telemetry.fold', everyS, run: ({ now, signal }) => this.run(now, signal) }
  }

  /** How long the oldest hour that has to be folded has been closed, in milliseconds. */
  async backlogMs(now: number): Promise<number> {
    const closed = hourOf(now - closedAfterMs)
    const { rows } = await withClient(this.#db, (client) =>
      client.query<{ hour: number | null }>(
        `select min(hour)::int as hour from sample_chunks where part <> ${foldedPart} and hour < ${closed}`,
      ),
    )
    const oldest = rows[0]?.hour ?? undefined
    return oldest === undefined ? 0 : now - (oldest + 1) * hourMs - closedAfterMs
  }

  /** Folds what is closed, as much as one run may. */
  async run(now: number, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + runMsMax
    const isOver = () => performance.now() >= until || signal?.aborted === true
    const slices = new Slices()
    const closed = hourOf(now - closedAfterMs)
    while (!isOver()) {
      const units = await this.#listHours(closed, slices)
      if (units.length > 0) await this.#fold(units, 'hour', slices)
      this.#after = units.at(-1) ?? firstUnit
      if (units.length < unitsMax) {
        this.#after = firstUnit
        break
      }
    }
    if (this.#daysDoneIn === closed || isOver()) return
    await this.#foldDays(dayStartOf(hourOf(now - dayClosedAfterMs)), isOver, slices)
    if (!isOver()) this.#daysDoneIn = closed
  }

  /** Hours with parts, the oldest first. */
  async #listHours(closed: number, slices: Slices): Promise<Unit[]> {
    const { hour, tagId } = this.#after
    return this.#list(
      `select hour, tag_id from sample_chunks
       where part <> ${foldedPart} and hour < ${closed} and (hour, tag_id) > (${hour}, ${tagId})
       group by hour, tag_id order by hour, tag_id limit ${unitsMax}`,
      slices,
    )
  }

  async #foldDays(closedDay: number, isOver: () => boolean, slices: Slices): Promise<void> {
    const days = await withClient(this.#db, (client) => listDays(client, chunkDays))
    for (const day of days.map((each) => each * hoursPerDay)) {
      if (day >= closedDay) return
      await this.#eachUnit(day, 'small', isOver, slices, (units) => this.#fold(units, 'day', slices))
      await this.#eachUnit(day, 'minutes', isOver, slices, (units) => this.#mergeMinutes(day, units, slices))
    }
  }

  /** Hands the tags that have something to fold in a day to `work`, some at a time. */
  async #eachUnit(
    day: number,
    kind: 'small' | 'minutes',
    isOver: () => boolean,
    slices: Slices,
    work: (units: readonly Unit[]) => Promise<void>,
  ): Promise<void> {
    const from =
      kind === 'small'
        ? `sample_chunks where part = ${foldedPart} and span = 1 and count <= ${smallSamplesMax}`
        : 'sample_averages where step = 1 and span = 1'
    for (let after = -1; !isOver(); ) {
      const units = await this.#list(
        `select distinct ${day} as hour, tag_id from ${from}
         and hour >= ${day} and hour < ${day + hoursPerDay} and tag_id > ${after} order by tag_id limit ${unitsMax}`,
        slices,
      )
      if (units.length > 0) await work(units)
      after = units.at(-1)?.tagId ?? after
      if (units.length < unitsMax) return
    }
  }

  async #list(query: string, slices: Slices): Promise<Unit[]> {
    const units: Unit[] = []
    const take = (fields: BinaryFields) => units.push({ hour: fields.number(), tagId: fields.number() })
    await withClient(this.#db, (client) => readRows(client, query, slices, take))
    return units
  }

  async #mergeMinutes(day: number, units: readonly Unit[], slices: Slices): Promise<void> {
    const tagIds = units.map(({ tagId }) => tagId)
    await withClient(this.#db, async (client) => {
      await client.query('begin')
      await mergeMinutes(client, day, tagIds, { damaged: this.#damaged, slices })
      await client.query('commit')
    })
  }

  async #fold(units: readonly Unit[], kind: 'hour' | 'day', slices: Slices): Promise<void> {
    try {
      await withClient(this.#db, async (client) => {
        const folded = await this.#prepare(client, units, kind, slices)
        if (folded.length > 0) await this.#write(client, folded, slices)
      })
    } catch (error) {
      // The next run finds what is left to do.
      if (!(error instanceof ChunksMoved)) throw error
      this.#logger.debug({ units: units.length }, 'fold.chunksMoved')
    }
  }

  async #prepare(
    client: pg.ClientBase,
    units: readonly Unit[],
    kind: 'hour' | 'day',
    slices: Slices,
  ): Promise<Folded[]> {
    const folded: Folded[] = []
    const keep = (one: Folded | undefined) => {
      if (one) folded.push(one)
    }
    const days = new Map<string, Unit>()
    if (kind === 'hour')
      for (const [unit, chunks] of await this.#fetch(client, units, 1, slices)) {
        // Chunks of a day are folded with all of it.
        if (chunks.some(({ span }) => span > 1)) {
          const day = dayStartOf(unit.hour)
          days.set(`${unit.tagId}/${day}`, { tagId: unit.tagId, hour: day })
        } else keep(foldHour(chunks, this.#damaged))
        await slices.next()
      }
    else for (const unit of units) days.set(`${unit.tagId}/${unit.hour}`, unit)
    for (const [, chunks] of await this.#fetch(client, [...days.values()], hoursPerDay, slices)) {
      keep(foldDay(chunks, this.#damaged))
      await slices.next()
    }
    return folded
  }

  /** The chunks that touch the hours of each unit. */
  async #fetch(
    client: pg.ClientBase,
    units: readonly Unit[],
    hours: number,
    slices: Slices,
  ): Promise<Map<Unit, StoredChunk[]>> {
    const found = new Map<Unit, StoredChunk[]>()
    // One query for each hour: those of a tag in one answer would be mixed.
    for (const [hour, ofHour] of Map.groupBy(units, (unit) => unit.hour)) {
      const span: HourSpan = { from: hour, to: hour + hours }
      const wanted = new Map<TypedTag, HourSpan[]>(
        ofHour.map(({ tagId }) => [{ id: tagId, type: 'float64' }, [span]]),
      )
      const chunks = await fetchChunks(client, wanted, { span: { from: 0, to: 0 }, slices })
      for (const unit of ofHour) {
        const ofUnit = chunks.get(unit.tagId)
        if (ofUnit) found.set(unit, ofUnit)
      }
    }
    return found
  }

  async #write(client: pg.ClientBase, folded: readonly Folded[], slices: Slices): Promise<void> {
    const gone = folded.flatMap((one) => one.gone)
    await client.query('begin')
    const { rowCount } = await client.query(
      `delete from sample_chunks using unnest($1::bigint[], $2::int[], $3::smallint[], $4::int[])
         as gone (tag_id, hour, span, part)
       where sample_chunks.tag_id = gone.tag_id and sample_chunks.hour = gone.hour
         and sample_chunks.span = gone.span and sample_chunks.part = gone.part`,
      [
        gone.map(({ tagId }) => tagId),
        gone.map(({ hour }) => hour),
        gone.map(({ span }) => span),
        gone.map(({ part }) => part),
      ],
    )
    if (rowCount !== gone.length) throw new ChunksMoved()
    await copyParts(
      client,
      foldedPart,
      folded.flatMap(({ parts }) => parts),
    )
    await writeAverages(client, folded, { damaged: this.#damaged, slices })
    await client.query('commit')
  }
}
