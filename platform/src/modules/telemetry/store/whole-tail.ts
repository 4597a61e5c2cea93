import type { Logger } from '../../../kernel/logger.ts'
import type { ChunkSamples } from './chunk.ts'
import type { SampleSink } from './log-row.ts'
import { mergeSamples } from './merge-samples.ts'
import { decodeOrLog, type SampleLog } from './sample-log.ts'
import type { LogSpan, Tail } from './tail.ts'
import { TailGeneration } from './tail-generation.ts'
import type { TailReader } from './tail-reader.ts'

/**
 * The tail of this process, and the samples of other processes that are in no chunk yet. The others' samples are read
 * from their logs: it takes about 0.2 s for a million of them, and needs no answer of a process that may be gone.
 */
export class WholeTail implements TailReader {
  readonly #own: Tail
  readonly #log: SampleLog
  readonly #logger: Logger

  constructor(options: { own: Tail; log: SampleLog; logger: Logger }) {
    this.#own = options.own
    this.#log = options.log
    this.#logger = options.logger
  }

  async read(
    tagIds: readonly number[],
    from: number,
    to: number,
  ): Promise<ReadonlyMap<number, ChunkSamples>> {
    if (tagIds.length === 0) return new Map()
    const spans = await this.#listOthers()
    if (spans.length === 0) return this.#own.read(tagIds, from, to)
    const others = await this.#readOthers(spans, tagIds, { from, to })
    const own = await this.#own.read(tagIds, from, to)
    const found = new Map(own)
    for (const tagId of tagIds) {
      const other = others.read(tagId, from, to)
      const mine = own.get(tagId)
      if (other) found.set(tagId, mine ? mergeSamples([other, mine]) : other)
    }
    return found
  }

  async #listOthers(): Promise<LogSpan[]> {
    return (await this.#log.listSpans()).filter((span) => !this.#own.holds(span))
  }

  async #readOthers(
    spans: readonly LogSpan[],
    tagIds: readonly number[],
    { from, to }: { from: number; to: number },
  ): Promise<TailGeneration> {
    const wanted = new Set(tagIds)
    const samples = new TailGeneration()
    const sink: SampleSink = {
      add(tagId, type, at, ...rest) {
        if (wanted.has(tagId) && at >= from && at < to) samples.add(tagId, type, at, ...rest)
      },
    }
    for (const span of spans)
      for await (const row of this.#log.read(span)) decodeOrLog(row, sink, this.#logger)
    return samples
  }
}
