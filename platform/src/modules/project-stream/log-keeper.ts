import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { LogPosition, LogReader } from '../telemetry/index.ts'
import { findFirstUnread } from '../telemetry/index.ts'
import type { ReaderStore } from './reader-store.ts'
import { gapRow } from './stream-row.ts'
import type { ProjectStreams } from './stream-store.ts'

interface LogKeeperOptions {
  readonly samplesDb: Database
  readonly store: ReaderStore
  readonly streams: ProjectStreams
  readonly logger: Logger
  readonly now: () => number
}

/** Has the logs of samples kept until they are in the streams of projects, whichever process reads them. */
export class LogKeeper implements LogReader {
  readonly #options: LogKeeperOptions

  constructor(options: LogKeeperOptions) {
    this.#options = options
  }

  /** Values of open intervals would be read again after a crash: their rows are kept as well. */
  async listRead(): Promise<LogPosition[] | undefined> {
    const { store } = this.#options
    if (!(await store.isReading())) return undefined
    const all = [await store.listPositions(), ...(await store.listOpen()).map(({ positions }) => positions)]
    const lowest = new Map<string, LogPosition>()
    for (const { nodeId, incarnation, seq, missing } of all.flat()) {
      const read = Math.min(seq, ...missing.map((each) => each - 1))
      const key = `${nodeId} ${incarnation}`
      const known = lowest.get(key)
      if (!known || read < known.seq) lowest.set(key, { nodeId, incarnation, seq: read, missing: [] })
    }
    return [...lowest.values()]
  }

  async missed(from: number, to: number): Promise<void> {
    const { streams, logger } = this.#options
    logger.error({ from: new Date(from), to: new Date(to) }, 'projectStream.missed')
    await streams.appendToAll(gapRow(from, to))
  }

  /** How long ago the first row was committed that is in no stream. */
  async unreadMs(): Promise<number> {
    const { samplesDb, store, now } = this.#options
    if (!(await store.isReading())) return 0
    const first = await findFirstUnread(samplesDb, await store.listPositions())
    return first ? Math.max(0, now() - first.getTime()) : 0
  }
}
