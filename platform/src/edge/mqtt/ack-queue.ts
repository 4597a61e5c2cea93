import { type Histogram, readTicks, secondsSince } from '../../kernel/metrics/index.ts'
import { type Ack, formatAcks } from './packet-codec.ts'

/** Settled entries are dropped from the queue's front in groups of at least this size. */
const compactMin = 64

/** An acknowledgement that waits for its message to be stored. */
export interface PendingAck {
  readonly packetId: number
  /** The packet type that acknowledges: PUBACK or PUBREC. */
  readonly type: number
  /** When the message was read, by the latency clock. */
  readonly readAt: number
  isSettled: boolean
}

/**
 * Acknowledgements of one connection: in the order their messages came (MQTT-4.6.0-2), and written together, one write
 * for all that one commit settles.
 */
export class AckQueue {
  readonly #write: (bytes: Buffer) => void
  readonly #seconds: Histogram
  #pending: PendingAck[] = []
  /** Number of `#pending` that are settled already. */
  #head = 0
  #ready: Ack[] = []
  #isScheduled = false

  /** `seconds` gets the time from each message to its acknowledgement. */
  constructor(write: (bytes: Buffer) => void, seconds: Histogram) {
    this.#write = write
    this.#seconds = seconds
  }

  add(packetId: number, type: number): PendingAck {
    const ack = { packetId, type, readAt: readTicks(), isSettled: false }
    this.#pending.push(ack)
    return ack
  }

  /** The message is stored. */
  settle(ack: PendingAck): void {
    ack.isSettled = true
    if (this.#pending[this.#head] !== ack) return
    for (let next = this.#pending[this.#head]; next?.isSettled; next = this.#pending[this.#head]) {
      this.#ready.push(next)
      this.#seconds.observe(secondsSince(next.readAt))
      this.#head++
    }
    if (this.#head === this.#pending.length) {
      this.#pending = []
      this.#head = 0
    } else if (this.#head >= compactMin && this.#head * 2 > this.#pending.length) {
      this.#pending.splice(0, this.#head)
      this.#head = 0
    }
    this.#schedule()
  }

  /** Acknowledges a packet that needs no storing. */
  send(ack: Ack): void {
    this.#ready.push(ack)
    this.#schedule()
  }

  flush(): void {
    this.#isScheduled = false
    if (this.#ready.length === 0) return
    const ready = this.#ready
    this.#ready = []
    this.#write(formatAcks(ready))
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => this.flush())
  }
}
