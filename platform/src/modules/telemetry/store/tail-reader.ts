import type { ChunkSamples } from './chunk.ts'

/** Reads samples that are in no chunk yet. */
export interface TailReader {
  /** The samples of tags with times from `from` on and before `to`: in the order of their times, one for each time. */
  read(tagIds: readonly number[], from: number, to: number): Promise<ReadonlyMap<number, ChunkSamples>>
}

/** The tail of a store whose samples are all in the database. */
export const noTail: TailReader = { read: async () => new Map() }
