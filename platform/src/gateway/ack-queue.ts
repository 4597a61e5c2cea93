import { formatAcks } from './packet-codec.ts'

/** Settled entries are dropped from the queue's front by so many at least. */
const compactMin = 64

/** An acknowledgement that waits for its message to be stored. */
export interface PendingAck {
  readonly packetId: number
  /** The packet type that acknowledges: PUBACK or PUBREC. */
  readonly type: number
  isSettled: boolean
}

/**
 * Acknowledgements of one connection: in the order their messages came (MQTT-4.6.0-2), and written together, one write
 * for all that one commit settles.
 */
export class AckQueue {
  readonly #write: (bytes: Buffer) => void
  #pending: PendingAck[] = []
  /** How many of `#pending` are settled already. */
  #head = 0
  #ready: { packetId: number; type: number }[] = []
  #isScheduled = false

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  add(packetId: number, type: number): PendingAck {
    const ack = { packetId, type, isSettled: false }
    this.#pending.push(ack)
    return ack
  }

  /** The message is stored. */
  settle(ack: PendingAck): void {
    ack.isSettled = true
    if (this.#pending[this.#head] !== ack) return
    for (let next = this.#pending[this.#head]; next?.isSettled; next = this.#pending[this.#head]) {
      this.#ready.push(next)
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

  /** Acknowledges what needs no storing. */
  send(packetId: number, type: number): void {
    this.#ready.push({ packetId, type })
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
