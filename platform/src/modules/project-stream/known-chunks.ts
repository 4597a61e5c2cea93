import type { NumberedRow } from './stream-row.ts'

/** A piece of a stream with its rows. One with other rows has another end or another `at`. */
export interface KnownChunk {
  readonly projectId: number
  readonly fromNo: number
  readonly toNo: number
  readonly at: Date
  readonly rows: readonly NumberedRow[]
}

/**
 * The pieces of streams that were read last: the lanes of all destinations of a project read the same ones within a short
 * time.
 */
export class KnownChunks {
  readonly #chunks = new Map<string, KnownChunk & { readonly length: number }>()
  readonly #limits: { readonly chunks: number; readonly characters: number }
  #length = 0

  /** `characters`: of the rows that are kept. */
  constructor(limits: { readonly chunks: number; readonly characters: number }) {
    this.#limits = limits
  }

  /** Those of a project with rows after a number. */
  list(projectId: number, afterNo: number): readonly KnownChunk[] {
    return [...this.#chunks.values()].filter((each) => each.projectId === projectId && each.toNo > afterNo)
  }

  /** Keeps one as the last that was read. */
  keep(chunk: KnownChunk): void {
    this.#remove(chunk)
    const length = chunk.rows.reduce((sum, { text }) => sum + text.length, 0)
    this.#chunks.set(keyOf(chunk), { ...chunk, length })
    this.#length += length
    for (const oldest of this.#chunks.values()) {
      if (this.#chunks.size <= this.#limits.chunks && this.#length <= this.#limits.characters) return
      this.#remove(oldest)
    }
  }

  #remove(chunk: Pick<KnownChunk, 'projectId' | 'fromNo'>): void {
    const key = keyOf(chunk)
    this.#length -= this.#chunks.get(key)?.length ?? 0
    this.#chunks.delete(key)
  }
}

const keyOf = ({ projectId, fromNo }: Pick<KnownChunk, 'projectId' | 'fromNo'>): string =>
  `${projectId} ${fromNo}`
