import type { Database } from '../../../kernel/database/database.ts'
import { type Logger, silentLogger } from '../../../kernel/logger.ts'
import { DamagedChunks } from './damaged-chunks.ts'
import { Folding } from './fold.ts'
import { SampleReads } from './sample-reads.ts'
import { noTail, type TailReader } from './tail-reader.ts'

/** The pools of the database that holds the samples. */
export interface SamplePools {
  /** For everything without a pool of its own. */
  readonly db: Database
  /** Histories. */
  readonly history: Database
  /** Whole lists. */
  readonly lists: Database
}

/** The store of a process's samples: its readers, and the state it knows. */
export class SampleStore {
  readonly damaged: DamagedChunks
  /** Reads for histories. */
  readonly history: SampleReads
  /** Reads for lists. */
  readonly lists: SampleReads
  readonly folding: Folding

  constructor(options: { pools: SamplePools; logger: Logger; tail?: TailReader }) {
    const { pools, logger, tail = noTail } = options
    this.damaged = new DamagedChunks(logger)
    const reads = (samplesDb: Database) => new SampleReads({ samplesDb, tail, damaged: this.damaged })
    this.history = reads(pools.history)
    this.lists = reads(pools.lists)
    this.folding = new Folding({ samplesDb: pools.db, logger, damaged: this.damaged })
  }
}

/** Reads the samples that are in a database, without those that a process has in its tail. */
export function plainReads(samplesDb: Database): SampleReads {
  return new SampleReads({ samplesDb, tail: noTail, damaged: new DamagedChunks(silentLogger) })
}
