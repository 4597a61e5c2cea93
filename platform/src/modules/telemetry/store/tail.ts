import { Slices } from '../../../kernel/slices.ts'
import type { ChunkSamples } from './chunk.ts'
import type { SampleSink } from './log-row.ts'
import { mergeSamples } from './merge-samples.ts'
import { TailGeneration } from './tail-generation.ts'
import type { TailReader } from './tail-reader.ts'

/** The log of a process, by the node and the incarnation that it is of. */
export interface LogName {
  readonly nodeId: string
  readonly incarnation: string
}

/** The rows of another log that a generation of the tail holds. */
export interface LogSpan extends LogName {
  /** Rows up to here are in chunks. */
  readonly from: number
  /** The number of the last row. */
  readonly to: number
}

/** The samples of one flush, with the rows of the log that they are from. */
export interface Generation {
  readonly samples: TailGeneration
  /** This process's own log. */
  readonly log: LogName
  /** The numbers of its rows in that: after `from`, up to `to`. */
  readonly from: number
  to: number
  /** Rows of others' logs. */
  readonly adopted: LogSpan[]
  /** The numbers of rows whose commits are on their way: they may still add samples. */
  readonly inHand: Set<number>
  /** Called when there are none any more. */
  onSettled: (() => void) | undefined
  /** Rows whose commit was not answered: they are in the log, or they are not. */
  readonly unanswered: Set<number>
}

/** A row of the log that is being written. */
export interface LogTicket {
  readonly seq: number
  readonly generation: Generation
  isAnswered: boolean
}

const newGeneration = (log: LogName, from: number): Generation => ({
  samples: new TailGeneration(),
  log,
  from,
  to: from,
  adopted: [],
  inHand: new Set(),
  onSettled: undefined,
  unanswered: new Set(),
})

/**
 * The memory of samples that are in no chunk yet: one growing generation, and those that are being flushed. A row of
 * the log belongs to the generation that grew when the row got its number, so that each generation is a gapless stretch
 * of the log, whatever the order in which commits end.
 */
export class Tail implements TailReader {
  #growing: Generation
  /** The oldest first. */
  readonly #frozen: Generation[] = []

  constructor(log: LogName) {
    this.#growing = newGeneration(log, 0)
  }

  /** Its memory, in samples of numbers. */
  get size(): number {
    return this.#frozen.reduce((sum, { samples }) => sum + samples.size, this.growingSize)
  }

  get growingSize(): number {
    return this.#growing.samples.size
  }

  /** Samples in no chunk. */
  get count(): number {
    return this.#frozen.reduce((sum, { samples }) => sum + samples.count, this.#growing.samples.count)
  }

  /** The generation that is to be flushed next. */
  get oldestFrozen(): Generation | undefined {
    return this.#frozen[0]
  }

  /** Every generation with rows that were not answered. */
  get doubtful(): readonly Generation[] {
    return [...this.#frozen, this.#growing].filter(({ unanswered }) => unanswered.size > 0)
  }

  /** The log that grows, and its last row before which no commit is on its way. */
  get settled(): LogName & { readonly seq: number } {
    const { log, to } = this.#growing
    const open = [...this.#frozen, this.#growing].flatMap((one) => (one.log === log ? [...one.inHand] : []))
    return { ...log, seq: Math.min(to, ...open.map((seq) => seq - 1)) }
  }

  /** Numbers the next row of the log. */
  begin(): LogTicket {
    const generation = this.#growing
    generation.to++
    generation.inHand.add(generation.to)
    return { seq: generation.to, generation, isAnswered: false }
  }

  /** Takes the samples of a row that is committed. */
  fill(ticket: LogTicket, add: (sink: SampleSink) => void): void {
    if (ticket.isAnswered) return
    ticket.isAnswered = true
    add(ticket.generation.samples)
  }

  /** There is no further commit of this row. */
  end({ generation, seq, isAnswered }: LogTicket): void {
    if (!isAnswered) generation.unanswered.add(seq)
    generation.inHand.delete(seq)
    if (generation.inHand.size === 0) generation.onSettled?.()
  }

  /** Takes rows of another log, before anything of this process's own. */
  adopt(span: LogSpan): SampleSink {
    this.#growing.adopted.push(span)
    return this.#growing.samples
  }

  /** Whether it has the rows of a log that are in no chunk: its own, or one that it took over. */
  holds({ nodeId, incarnation }: LogName): boolean {
    return [...this.#frozen, this.#growing].some(({ log, adopted }) =>
      [log, ...adopted].some((one) => one.nodeId === nodeId && one.incarnation === incarnation),
    )
  }

  /** Ends the growing generation, so that it can be flushed; false if it is empty. */
  freeze(): boolean {
    const { log, to, from, adopted } = this.#growing
    if (to === from && adopted.length === 0) return false
    this.#frozen.push(this.#growing)
    this.#growing = newGeneration(log, to)
    return true
  }

  /** Goes on with another log; rows of the one before keep their numbers in it. */
  reopen(log: LogName): void {
    this.freeze()
    this.#growing = newGeneration(log, 0)
  }

  /** Drops the oldest generation: it is in chunks. */
  drop(): void {
    this.#frozen.shift()
  }

  /** Reads all generations as they are at the time of the call. */
  async read(
    tagIds: readonly number[],
    from: number,
    to: number,
  ): Promise<ReadonlyMap<number, ChunkSamples>> {
    const generations = [...this.#frozen, this.#growing]
    const found = new Map<number, ChunkSamples>()
    const slices = new Slices()
    for (const tagId of tagIds) {
      const sources = generations.flatMap(({ samples }) => samples.read(tagId, from, to) ?? [])
      if (sources.length > 0) found.set(tagId, mergeSamples(sources))
      await slices.next()
    }
    return found
  }
}
