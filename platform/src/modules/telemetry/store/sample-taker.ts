import type { Averages } from './averages.ts'
import type { ChunkSamples } from './chunk.ts'

/** Takes the samples of one tag, in the order of their times. */
export interface SampleTaker {
  /** Samples of a block, from one place to another, `to` excluded. */
  take(samples: ChunkSamples, from: number, to: number): void
  /** Whether it reads nothing of a block after `take`: then its memory is used again. */
  readonly keepsNothing?: boolean
  /** Buckets of averages, where the taker reads with them; they hold for the time of the call. */
  readonly takeAverages?: ((averages: Averages, from: number, to: number) => void) | undefined
  /** Whether it needs the first and last values of averages. */
  readonly needsEnds?: boolean
  /** Whether it needs no further samples. */
  readonly isFull?: boolean
}
