import type { Logger } from '../../../kernel/logger.ts'

/** Number of chunks remembered as logged; after that one may be logged again. */
const toldMax = 10_000

/** The place of changed bytes. */
export interface DamagedSpan {
  readonly tagId: number
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
}

/** Chunks whose bytes changed since they were written: each is logged once, and counted. */
export class DamagedChunks {
  readonly #logger: Pick<Logger, 'error'>
  readonly #told = new Set<string>()
  /** Number found since the start. */
  count = 0

  constructor(logger: Pick<Logger, 'error'>) {
    this.#logger = logger
  }

  tell(chunk: {
    readonly tagId: number
    readonly hour: number
    readonly span: number
    readonly part: number
    readonly table: 'sample_chunks' | 'sample_averages'
    readonly error: unknown
  }): void {
    const { tagId, hour, span, part, table, error } = chunk
    const key = `${table}/${tagId}/${hour}/${span}/${part}`
    if (this.#told.has(key)) return
    if (this.#told.size >= toldMax) this.#told.clear()
    this.#told.add(key)
    this.count++
    this.#logger.error({ tagId, hour, span, part, table, err: error }, 'chunk.damaged')
  }
}
