import { plainTopic } from '@busbar/link'
import { packetType } from './packet-codec.ts'
import { bodyStart } from './packet-reader.ts'
import type { TurnQueue, TurnTaker } from './turn-queue.ts'

/** An alarm with a longer text does not wait, so that those that wait take little memory. */
const waitingBytesMax = 2_048
const alarmsTopic = Buffer.from(plainTopic.alarms)

/**
 * Lets connections read an alarm when the store has room for it. Thousands of machines raise alarms at the same moment,
 * for instance when the mains fail: without this each message of the others would wait until those are read, behind them
 * in the queue of turns.
 */
export class AlarmTurns {
  readonly #turns: TurnQueue
  readonly #room: () => number
  readonly #waiting = new Set<TurnTaker>()
  /** The connections that got room and have not read yet. */
  readonly #granted = new Set<TurnTaker>()
  #isScheduled = false

  /** `room`: how many more alarms the store takes now. */
  constructor(turns: TurnQueue, room: () => number) {
    this.#turns = turns
    this.#room = room
  }

  /** Connections that wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether a connection may read this packet now; where not, give it to `add`. */
  mayRead(taker: TurnTaker, packet: Buffer): boolean {
    if (packet.length > waitingBytesMax || !isAlarm(packet)) return true
    if (this.#granted.delete(taker)) {
      // The message may contain no alarm: then there is no commit that reports free room.
      this.#schedule()
      return true
    }
    return this.#waiting.size === 0 && this.#room() > this.#granted.size
  }

  /**
   * Lets a connection wait whose unread bytes are one alarm; false if it may read them now. So thousands of alarms that
   * come at once take no turns before there is room for them.
   */
  waitAtOnce(taker: TurnTaker, bytes: Buffer): boolean {
    if (bytes.length > waitingBytesMax || !isAlarm(bytes) || !isWhole(bytes)) return false
    if (this.#waiting.size === 0 && this.#room() > this.#granted.size) return false
    this.add(taker)
    return true
  }

  /** Gives a turn when there is room, behind those that wait already; one that waits keeps its place. */
  add(taker: TurnTaker): void {
    if (!this.#granted.has(taker)) this.#waiting.add(taker)
  }

  /** The connection is over. */
  forget(taker: TurnTaker): void {
    if (this.#waiting.size === 0 && this.#granted.size === 0) return
    this.#waiting.delete(taker)
    if (this.#granted.delete(taker)) this.#schedule()
  }

  /** The store may have room again. */
  release(): void {
    if (this.#waiting.size > 0) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      let room = this.#room() - this.#granted.size
      for (const taker of this.#waiting) {
        if (room-- <= 0) break
        this.#waiting.delete(taker)
        this.#granted.add(taker)
        this.#turns.add(taker)
      }
    })
  }
}

/** Whether a packet is a PUBLISH to the topic of alarms, decided by its first bytes. */
function isAlarm(packet: Buffer): boolean {
  if ((packet[0] ?? 0) >> 4 !== packetType.publish) return false
  const start = bodyStart(packet)
  const from = start + 2
  const { length } = alarmsTopic
  if (packet.length < from + length || packet.readUInt16BE(start) !== length) return false
  // From the end: other topics begin the same.
  for (let index = length - 1; index >= 0; index--) {
    if (packet[from + index] !== alarmsTopic[index]) return false
  }
  return true
}

/** Whether bytes are one whole packet, of those that are short enough to wait. */
function isWhole(bytes: Buffer): boolean {
  const start = bodyStart(bytes)
  if (start > 3) return false
  const length = start === 2 ? (bytes[1] ?? 0) : ((bytes[1] ?? 0) & 0x7f) + (bytes[2] ?? 0) * 0x80
  return bytes.length === start + length
}
