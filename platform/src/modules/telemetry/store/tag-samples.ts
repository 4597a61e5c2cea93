import type { Slices } from '../../../kernel/slices.ts'
import type { Averages, StoredAverages } from './averages.ts'
import { BytesDamaged } from './byte-reader.ts'
import { type ChunkSamples, decodeChunk } from './chunk.ts'
import { inArrival, type StoredChunk } from './chunk-fetch.ts'
import { endOf, hourMs, startOf } from './chunk-rows.ts'
import type { Coverage } from './covered-hours.ts'
import { mergeSamples, placeOf, sliceSamples } from './merge-samples.ts'
import { borrowRoom, giveRoomBack, type NumberRoom } from './number-room.ts'
import type { TimeSpan, TypedTag } from './sample-rows.ts'
import type { SampleTaker } from './sample-taker.ts'

/** A tag with the receiver of its samples. */
export interface Taking extends TypedTag {
  readonly taker: SampleTaker
}

/** A chunk that cannot be read. */
export interface DamagedBlock {
  readonly chunk: StoredChunk
  readonly error: unknown
}

/** Damaged averages: their hours are read from chunks. */
export interface DamagedAverages {
  readonly averages: StoredAverages
  readonly error: unknown
}

/** Chunks whose times overlap. */
interface Group extends TimeSpan {
  readonly chunks: StoredChunk[]
}

/** A stretch of time that a group of chunks covers, or none. */
interface Piece extends TimeSpan {
  readonly group: Group | undefined
}

/** The samples of one tag: chunks, with rows that came before all of them, and those of the tail, that came after. */
export class TagSamples {
  readonly #tag: Taking
  readonly #span: TimeSpan
  readonly #groups: Group[]
  readonly #before: ChunkSamples | undefined
  readonly #after: ChunkSamples | undefined
  readonly #fetchInstead: ((damaged: DamagedAverages) => Promise<readonly StoredChunk[]>) | undefined
  readonly #told = new Set<StoredChunk>()
  #decoded: { readonly group: Group; readonly sources: readonly ChunkSamples[] } | undefined
  #read: { readonly stored: StoredAverages; readonly averages: Averages | Group[] } | undefined
  #chunksDecoded = 0
  /** The memory of decoded chunks for a taker that keeps none of them. */
  #chunkRoom: NumberRoom | undefined
  #averageRoom: NumberRoom | undefined

  constructor(
    tag: Taking,
    span: TimeSpan,
    samples: {
      readonly chunks: readonly StoredChunk[]
      readonly before: ChunkSamples | undefined
      readonly after: ChunkSamples | undefined
      /** Reads the chunks of the hours of averages that are damaged. */
      fetchInstead?(damaged: DamagedAverages): Promise<readonly StoredChunk[]>
    },
  ) {
    this.#tag = tag
    this.#span = span
    this.#groups = groupsOf(samples.chunks)
    this.#before = samples.before
    this.#after = samples.after
    this.#fetchInstead = samples.fetchInstead
  }

  /** Chunks that were decoded until now. */
  get chunksDecoded(): number {
    return this.#chunksDecoded
  }

  /**
   * Hands the samples to the taker, a block at a time, from the first or from the last one on; yields how many samples of
   * it were read, and damaged ones. Averages are read from the first one on.
   */
  async *blocks(
    slices: Slices,
    {
      coverage,
      begin = 'first',
    }: { readonly coverage?: Coverage | undefined; readonly begin?: 'first' | 'last' } = {},
  ): AsyncGenerator<number | DamagedBlock> {
    if (this.#tag.taker.keepsNothing) this.#chunkRoom = borrowRoom()
    if (coverage) this.#averageRoom = borrowRoom()
    try {
      if (coverage || begin === 'first') yield* this.#blocks(coverage, slices)
      else
        yield* this.#takeEach(this.#piecesOf(this.#span.from, this.#span.to, this.#groups).reverse(), slices)
    } finally {
      this.#decoded = undefined
      this.#read = undefined
      for (const room of [this.#chunkRoom, this.#averageRoom]) if (room) giveRoomBack(room)
      this.#chunkRoom = undefined
      this.#averageRoom = undefined
    }
  }

  async *#blocks(coverage: Coverage | undefined, slices: Slices): AsyncGenerator<number | DamagedBlock> {
    let from = this.#span.from
    for (const covered of coverage?.spans ?? []) {
      yield* this.#uncovered(from, covered.from, slices)
      for (const stored of coverage?.averages ?? []) {
        if (!isWithin(stored, covered)) continue
        const averages = await this.#readAverages(stored)
        if (Array.isArray(averages)) {
          const { from, to } = timeOf(stored)
          yield* this.#uncovered(Math.max(from, covered.from), Math.min(to, covered.to), slices, averages)
          continue
        }
        const first = placeOf(averages.starts, covered.from)
        const end = placeOf(averages.starts, covered.to)
        if (first < end) this.#tag.taker.takeAverages?.(averages, first, end)
        await slices.next()
      }
      from = covered.to
      await slices.next()
    }
    yield* this.#uncovered(from, this.#span.to, slices)
  }

  /** Answers the chunks of their hours where they are damaged. */
  async #readAverages(stored: StoredAverages): Promise<Averages | Group[]> {
    if (this.#read?.stored === stored) return this.#read.averages
    this.#averageRoom?.clear()
    const withEnds = this.#tag.taker.needsEnds === true
    let averages: Averages | Group[]
    try {
      averages = stored.read({ withEnds, room: this.#averageRoom })
    } catch (error) {
      if (!(error instanceof BytesDamaged) || !this.#fetchInstead) throw error
      averages = groupsOf(await this.#fetchInstead({ averages: stored, error }))
    }
    this.#read = { stored, averages }
    return averages
  }

  #uncovered(
    from: number,
    to: number,
    slices: Slices,
    groups: readonly Group[] = this.#groups,
  ): AsyncGenerator<number | DamagedBlock> {
    return this.#takeEach(this.#piecesOf(from, to, groups), slices)
  }

  /** A stretch of time, cut where groups begin and end. */
  #piecesOf(start: number, end: number, groups: readonly Group[]): Piece[] {
    const pieces: Piece[] = []
    let from = start
    for (const group of groups) {
      if (group.to <= from) continue
      if (group.from >= end) break
      if (group.from > from) {
        pieces.push({ from, to: group.from, group: undefined })
        from = group.from
      }
      const to = Math.min(group.to, end)
      pieces.push({ from, to, group })
      from = to
    }
    if (from < end) pieces.push({ from, to: end, group: undefined })
    return pieces
  }

  async *#takeEach(pieces: readonly Piece[], slices: Slices): AsyncGenerator<number | DamagedBlock> {
    for (const { from, to, group } of pieces) {
      const sources: ChunkSamples[] = []
      for (const block of group ? this.#decode(group) : []) {
        if ('error' in block) yield block
        else sources.push(block)
      }
      yield this.#take(sources, from, to)
      if (group) await slices.next()
    }
  }

  #decode(group: Group): (ChunkSamples | DamagedBlock)[] {
    if (this.#decoded?.group === group) return [...this.#decoded.sources]
    this.#chunkRoom?.clear()
    const sources: ChunkSamples[] = []
    const damaged: DamagedBlock[] = []
    for (const chunk of inArrival(group.chunks))
      try {
        this.#chunksDecoded++
        sources.push(mergeSamples([decodeChunk(chunk.bytes, this.#chunkRoom)]))
      } catch (error) {
        if (!(error instanceof BytesDamaged)) throw error
        if (!this.#told.has(chunk)) damaged.push({ chunk, error })
        this.#told.add(chunk)
      }
    this.#decoded = { group, sources }
    return [...sources, ...damaged]
  }

  #take(chunks: readonly ChunkSamples[], from: number, to: number): number {
    const { taker } = this.#tag
    const sources = [this.#before, ...chunks, this.#after].filter((samples) => has(samples, from, to))
    const [only] = sources
    if (!only) return 0
    const samples = sources.length === 1 ? only : mergeSamples(sources.map((each) => cut(each, from, to)))
    const first = placeOf(samples.times, from)
    const end = placeOf(samples.times, to)
    taker.take(samples, first, end)
    return end - first
  }
}

function timeOf({ hours }: StoredAverages): TimeSpan {
  const [first = 0, last = 0] = [hours[0], hours.at(-1)]
  return { from: first * hourMs, to: (last + 1) * hourMs }
}

/** Whether averages may cover a part of a stretch of time. */
function isWithin(stored: StoredAverages, { from, to }: TimeSpan): boolean {
  const time = timeOf(stored)
  return time.from < to && time.to > from
}

const cut = (samples: ChunkSamples, from: number, to: number): ChunkSamples =>
  sliceSamples(samples, placeOf(samples.times, from), placeOf(samples.times, to))

function has(samples: ChunkSamples | undefined, from: number, to: number): samples is ChunkSamples {
  if (!samples) return false
  const { times } = samples
  const place = placeOf(times, from)
  return place < times.length && (times[place] as number) < to
}

function groupsOf(chunks: readonly StoredChunk[]): Group[] {
  const groups: { from: number; to: number; chunks: StoredChunk[] }[] = []
  for (const chunk of chunks) {
    const last = groups.at(-1)
    if (last && startOf(chunk) < last.to) {
      last.to = Math.max(last.to, endOf(chunk))
      last.chunks.push(chunk)
    } else groups.push({ from: startOf(chunk), to: endOf(chunk), chunks: [chunk] })
  }
  return groups
}
