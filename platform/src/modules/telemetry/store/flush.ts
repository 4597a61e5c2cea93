import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, withClient } from '../../../kernel/database/database.ts'
import { withoutTimeLimits } from '../../../kernel/database/time-limits.ts'
import { createLogOnce, type LogOnce } from '../../../kernel/log-once.ts'
import type { Logger } from '../../../kernel/logger.ts'
import { type ChunkPart, copyParts, ensureChunkDays, hourMs, nextPart } from './chunk-rows.ts'
import type { SampleSink } from './log-row.ts'
import { decodeOrLog, type SampleLog } from './sample-log.ts'
import { type Generation, type LogName, type LogSpan, Tail } from './tail.ts'

const flushLimits = {
  /** The tail is flushed when it is so large, in samples of numbers. */
  flushSamples: 2_000_000,
  /** Commits wait while the tail and the samples being flushed are this many times as large. */
  fullFactor: 3,
  /** After the turn of an hour: late messages of it are mostly there. */
  afterHourMs: 2 * 60_000,
  /** A flush works for a stretch, then rests this many times as long, up to a limit. */
  stretchMs: 3,
  restFactor: 2,
  restMsMax: 20,
  /** Interval of the search for rows with unanswered commits, and for logs of replaced processes. */
  lookMs: 5_000,
  retryPauseMsFirst: 100,
  retryPauseMsMax: 10_000,
} as const

export interface TailFlushOptions {
  readonly db: Database
  readonly log: SampleLog
  readonly tail: Tail
  readonly nodeId: string
  readonly logger: Logger
  readonly now: () => number
  readonly flushSamples?: number | undefined
  /**
   * Whether this process is still its node's, and the others count it as living; without it the process is never
   * replaced.
   */
  readonly isLiving?: (() => Promise<boolean>) | undefined
}

/** Writes the tail into chunks, and takes over the rows that other processes left in their logs. */
export class TailFlush {
  readonly #options: TailFlushOptions
  readonly #log: LogOnce
  readonly #stopped = new AbortController()
  readonly #max: number
  #name: LogName
  #running: Promise<void> | undefined
  #looking: Promise<void> = Promise.resolve()
  #hourTimer: NodeJS.Timeout | undefined
  #lookTimer: NodeJS.Timeout | undefined
  /** Called when a generation is in chunks, or the process stops. */
  #waiting: (() => void)[] = []

  constructor(options: TailFlushOptions, name: LogName) {
    this.#options = options
    this.#name = name
    this.#max = options.flushSamples ?? flushLimits.flushSamples
    this.#log = createLogOnce(options.logger)
  }

  /** Searches at once instead of at the next interval. */
  look(): void {
    clearTimeout(this.#lookTimer)
    this.#looking = this.#looking
      .then(() => this.#look())
      .catch((err) => this.#log.warn({ err }, 'sampleLog.checkFailed'))
      .finally(() => this.#armLook())
  }

  /** Takes over the logs of former processes of this node; afterwards the tail has all samples that are in no chunk. */
  async recover(): Promise<void> {
    const { log, tail, nodeId } = this.#options
    await log.open(this.#name)
    for (const span of await log.takeOver(nodeId, this.#name.incarnation))
      await this.#readInto(tail.adopt(span), span)
    this.#schedule()
    this.#armLook()
    this.check()
  }

  /** Begins a flush when the tail is large. */
  check(): void {
    const { tail } = this.#options
    if (tail.growingSize < this.#max || tail.oldestFrozen) return
    tail.freeze()
    this.#kick()
  }

  /** Whether commits must wait until a flush ends, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#options.tail.size >= this.#max * flushLimits.fullFactor
  }

  /** Whether half of the next flush has come while this one is under way. */
  get #isUrgent(): boolean {
    return this.#options.tail.growingSize > this.#max / 2
  }

  /** Resolves when there is room for further samples, or the process stops. */
  async room(): Promise<void> {
    while (this.isFull && !this.#stopped.signal.aborted) {
      if (!this.#options.tail.oldestFrozen) this.#options.tail.freeze()
      this.#kick()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Writes all that is in the tail now into chunks; resolves when that is done, or the process stops. */
  async flush(): Promise<void> {
    this.#options.tail.freeze()
    this.#kick()
    await this.#running
  }

  /** Writes the rows that processes of a node left in their logs into chunks. */
  async takeOver(nodeId: string, own?: string): Promise<void> {
    for (const span of await this.#options.log.takeOver(nodeId, own)) {
      if (this.#options.tail.holds(span)) continue
      const tail = new Tail(this.#name)
      await this.#readInto(tail.adopt(span), span)
      tail.freeze()
      if (tail.oldestFrozen) await this.#write(tail.oldestFrozen)
    }
  }

  /** Leaves the rest in the log. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    clearTimeout(this.#hourTimer)
    clearTimeout(this.#lookTimer)
    this.#reportRoom()
    await Promise.all([this.#running, this.#looking])
    this.#log.stop()
  }

  #schedule(): void {
    if (this.#stopped.signal.aborted) return
    const ms = hourMs - (this.#options.now() % hourMs) + flushLimits.afterHourMs
    this.#hourTimer = setTimeout(() => {
      void this.flush()
      this.#schedule()
    }, ms)
  }

  #armLook(): void {
    if (this.#stopped.signal.aborted) return
    this.#lookTimer = setTimeout(() => this.look(), flushLimits.lookMs)
  }

  async #look(): Promise<void> {
    const { log, tail, nodeId, isLiving } = this.#options
    for (const generation of tail.doubtful) await this.#answer(generation)
    // Other processes counted this one as dead, and took its log over.
    if (isLiving && (await log.isClosed(this.#name)) && (await isLiving())) await this.#reopen()
    // A process that was replaced may have opened its log again before it knew.
    await this.takeOver(nodeId, this.#name.incarnation)
  }

  async #reopen(): Promise<void> {
    const { log, tail, nodeId } = this.#options
    const name = { nodeId, incarnation: randomUUID() }
    await log.open(name)
    this.#name = name
    tail.reopen(name)
    this.#kick()
  }

  #kick(): void {
    if (this.#running || this.#stopped.signal.aborted) return
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      this.#reportRoom()
      if (!this.#stopped.signal.aborted) this.check()
    })
  }

  async #run(): Promise<void> {
    const { tail } = this.#options
    let failures = 0
    for (let next = tail.oldestFrozen; next && !this.#stopped.signal.aborted; next = tail.oldestFrozen) {
      try {
        await settled(next, this.#stopped.signal)
        await this.#answer(next)
        await this.#write(next)
        tail.drop()
        failures = 0
        this.#reportRoom()
      } catch (err) {
        if (this.#stopped.signal.aborted) return
        this.#log.error({ err, samples: tail.count }, 'tail.flushFailed')
        await this.#pause(failures++)
      }
    }
  }

  /** Looks for the rows of commits without an answer, and takes those that are there. */
  async #answer(generation: Generation): Promise<void> {
    for (const seq of [...generation.unanswered]) {
      const bytes = await this.#options.log.find(generation.log, seq)
      if (!generation.unanswered.delete(seq) || !bytes) continue
      decodeOrLog({ ...generation.log, seq, bytes }, generation.samples, this.#options.logger)
    }
  }

  /**
   * One transaction: the position first, which waits for a former try that is still under way, and fails where that one or
   * another process was faster.
   */
  async #write(generation: Generation): Promise<void> {
    const { db, now } = this.#options
    const { log, from, to, adopted, samples } = generation
    const spans = to > from ? [...adopted, { ...log, from, to }] : adopted
    await ensureChunkDays(db, samples.hours, now())
    await withClient(db, (client) =>
      withoutTimeLimits(
        (statement) => client.query(statement),
        async () => {
          await client.query('begin')
          let moved = 0
          for (const span of spans) if (await movePosition(client, span)) moved++
          if (moved > 0 && samples.count > 0)
            await copyParts(
              client,
              await nextPart(client),
              paced(samples.parts(), this.#stopped.signal, () => this.#isUrgent),
            )
          await client.query('commit')
        },
      ),
    )
  }

  async #readInto(sink: SampleSink, span: LogSpan): Promise<void> {
    const { log, logger } = this.#options
    for await (const row of log.read(span)) decodeOrLog(row, sink, logger)
  }

  async #pause(failures: number): Promise<void> {
    const { retryPauseMsFirst, retryPauseMsMax } = flushLimits
    const ms = Math.min(retryPauseMsFirst * 2 ** failures, retryPauseMsMax)
    await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  #reportRoom(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}

/** Moves the position of a log over a stretch; false if that was done before. */
async function movePosition(client: pg.ClientBase, span: LogSpan): Promise<boolean> {
  const { rowCount } = await client.query(
    'update sample_log_positions set seq = $4 where node_id = $1 and incarnation = $2 and seq = $3',
    [span.nodeId, span.incarnation, span.from, span.to],
  )
  return rowCount === 1
}

/**
 * The parts, until the signal: then the COPY fails, and with it the transaction. It rests between stretches of work, because
 * acknowledgements wait for both; not while `isUrgent`.
 */
async function* paced(
  parts: Iterable<ChunkPart>,
  signal: AbortSignal,
  isUrgent: () => boolean,
): AsyncGenerator<ChunkPart> {
  let beganAt = performance.now()
  for (const part of parts) {
    signal.throwIfAborted()
    const workedMs = performance.now() - beganAt
    if (workedMs > flushLimits.stretchMs && !isUrgent()) {
      await sleep(Math.min(workedMs * flushLimits.restFactor, flushLimits.restMsMax))
      beganAt = performance.now()
    }
    yield part
  }
}

/** Resolves when no commit is on its way that may add samples to a generation; fails at the signal. */
function settled(generation: Generation, signal: AbortSignal): Promise<void> {
  if (generation.inHand.size === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    generation.onSettled = () => {
      signal.removeEventListener('abort', abort)
      resolve()
    }
  })
}
