import { randomUUID } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { onlyNodeId } from '../../../kernel/nodes/nodes.ts'
import { TailFlush } from './flush.ts'
import { decodeLogRow, type SampleSink } from './log-row.ts'
import { SampleLog } from './sample-log.ts'
import { type LogTicket, Tail } from './tail.ts'
import type { TailReader } from './tail-reader.ts'
import { WholeTail } from './whole-tail.ts'

/** Writing of samples by a process, as far as others see it. */
export interface SampleWritesOptions {
  /** Names this process's log; without it this is the only process. */
  readonly nodeId?: string
  /** Whether this process is still its node's, and the others count it as living. */
  readonly isLiving?: () => Promise<boolean>
  /** The nodes that are living: the logs of the others are taken over. */
  readonly listLivingNodes?: () => Promise<readonly string[]>
  /** Number of samples kept in memory before they are written as chunks. */
  readonly flushSamples?: number
}

/** The writing of a process's samples: its log, the tail in memory, and the flush into chunks. */
export class SampleWrites {
  readonly log: SampleLog
  readonly tail: Tail
  /** Reads the tail, and the samples of other processes that are in no chunk. */
  readonly reader: TailReader
  readonly #flush: TailFlush
  readonly #listLivingNodes: SampleWritesOptions['listLivingNodes']

  constructor(
    options: SampleWritesOptions & {
      readonly samplesDb: Database
      readonly logger: Logger
      readonly now: () => number
    },
  ) {
    const { samplesDb: db, logger, now, nodeId = onlyNodeId, isLiving, flushSamples } = options
    const name = { nodeId, incarnation: randomUUID() }
    this.#listLivingNodes = options.listLivingNodes
    this.log = new SampleLog({ db, nodeId, logger, now })
    this.tail = new Tail(name)
    this.reader = new WholeTail({ own: this.tail, log: this.log, logger })
    this.#flush = new TailFlush(
      { db, log: this.log, tail: this.tail, nodeId, logger, now, flushSamples, isLiving },
      name,
    )
  }

  /** Reads the rows from the log that are in no chunk. */
  start(): Promise<void> {
    return this.#flush.recover()
  }

  /** Rows that are in no chunk stay in the log. */
  stop(): Promise<void> {
    return this.#flush.stop()
  }

  /** Waits while memory is full. */
  async room(): Promise<void> {
    if (this.#flush.isFull) await this.#flush.room()
  }

  /** Numbers a row of the log. */
  begin(): LogTicket {
    return this.tail.begin()
  }

  /** Takes the samples of a row that is committed. */
  fill(ticket: LogTicket, add: (sink: SampleSink) => void): void {
    this.tail.fill(ticket, add)
    this.#flush.check()
  }

  /** The samples of a row whose commit was not answered, as something that adds them. */
  async find({ generation, seq }: LogTicket): Promise<(sink: SampleSink) => void> {
    const bytes = await this.log.find(generation.log, seq)
    return (sink) => {
      if (bytes) decodeLogRow(bytes, sink)
    }
  }

  /** Writes the tail as chunks. */
  flush(): Promise<void> {
    return this.#flush.flush()
  }

  /** Checks whether others counted this process as dead. */
  revive(): void {
    this.#flush.look()
  }

  /** Drops rows that are in chunks, and takes over the logs of nodes that are gone. */
  async maintain(): Promise<void> {
    await this.log.partitions.ensureAhead()
    await this.log.partitions.drop()
    if (!this.#listLivingNodes) return
    // In this order: a node that begins has its row among the nodes before it has a log.
    const nodes = await this.log.listOtherNodes()
    const living = new Set(await this.#listLivingNodes())
    for (const nodeId of nodes) if (!living.has(nodeId)) await this.#flush.takeOver(nodeId)
  }
}
