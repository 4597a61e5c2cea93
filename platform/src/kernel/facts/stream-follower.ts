import type { Bus } from '../bus/bus.ts'
import type { WakeTopic } from '../database/after-commit.ts'
import { every } from '../every.ts'
import { StreamReader, type StreamReaderOptions } from './stream-reader.ts'

const pollMs = 500
/**
 * Pause between a wake and the read, to include more commits, unless somebody waits for them. The read of changed
 * rights, which cuts open connections, starts at once and has the database to itself meanwhile.
 */
const gatherMs = 2
/** A read of at least this size is part of a storm, such as one of alarms. */
const crowdMin = 32
/** Pause after such a read, unless somebody waits: few large reads cost less than many. */
const crowdRestMs = 100

interface StreamFollowerOptions<Row> extends StreamReaderOptions<Row> {
  readonly bus: Bus
  readonly topic: WakeTopic
  /** Its rows go straight to people: a wake does not wait for more commits. */
  readonly isUrgent?: boolean
  /** For tests: how long it rests after a read that found a crowd. */
  readonly crowdRestMs?: number
}

/** Follows a stream by itself: woken by the bus, and after 500 ms at the latest, because a wake may be lost. */
export class StreamFollower<Row extends object> {
  readonly #reader: StreamReader<Row>
  readonly #bus: Bus
  readonly #topic: WakeTopic
  readonly #didFail: (error: unknown) => void
  readonly #isUrgent: boolean
  #unsubscribe: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #restsUntil = 0

  constructor(options: StreamFollowerOptions<Row>) {
    const restMs = options.crowdRestMs ?? crowdRestMs
    this.#reader = new StreamReader({
      ...options,
      tell: (rows) => {
        if (rows.length >= crowdMin) this.#restsUntil = performance.now() + restMs
        options.tell(rows)
      },
    })
    this.#bus = options.bus
    this.#topic = options.topic
    this.#didFail = options.didFail
    this.#isUrgent = options.isUrgent === true
  }

  async start(): Promise<void> {
    await this.#reader.start()
    this.#unsubscribe = this.#bus.subscribe(this.#topic, (event) =>
      this.#wake('atOnce' in event && event.atOnce === true),
    )
    this.#timer = every(pollMs, () => this.#reader.read(), { error: this.#didFail })
    // Reads the rows committed between the two.
    this.#reader.read()
  }

  /** Waits until everything that this process committed so far is delivered; false after `ms`. */
  catchUp(ms: number): Promise<boolean> {
    return this.#reader.catchUp(ms)
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    clearInterval(this.#timer)
    await this.#reader.stop()
  }

  #wake(isAtOnce: boolean): void {
    const atLeastMs = isAtOnce || this.#isUrgent ? 0 : gatherMs
    this.#reader.wake(Math.max(atLeastMs, this.#restsUntil - performance.now()))
  }
}
