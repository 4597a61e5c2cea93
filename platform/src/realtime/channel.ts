import type { TagValueEvent } from '../kernel/bus/bus.ts'
import type { SharedFrame } from './shared-frame.ts'

export const gatherMs = 100
/** Sends between two turns of the event loop: a thousand in a row would hold up everybody else. */
const burstMax = 64

/** A frame and its place among those of its channel, from 1. */
export interface ChannelFrame extends SharedFrame {
  readonly number: number
}

/** A receiver of a channel's frames. */
export interface Receiver {
  /** Sends a frame, or remembers that this channel must be shown anew once the socket has drained. */
  deliver(channel: Channel, frame: ChannelFrame): void
  /** Sends word of a changed past; false when it cannot be sent yet: the right, or the first picture, is looked up. */
  deliverHistory(channel: Channel, frame: Uint8Array): boolean
}

export interface ChannelOptions {
  readonly machineId: number
  /** Undefined: every tag of the machine. */
  readonly tagIds: ReadonlySet<number> | undefined
  encode(machineId: number, values: readonly TagValueEvent[]): SharedFrame
}

/**
 * The frames for all watchers of the same tags: the newest value of each tag, the first after a quiet time at
 * once, then at most every 100 ms, encoded once for all of them. A channel has one burst under way: nobody gets an older
 * frame behind a newer one.
 */
export class Channel {
  readonly machineId: number
  readonly tagIds: ReadonlySet<number> | undefined
  readonly receivers = new Set<Receiver>()
  readonly #encode: ChannelOptions['encode']
  #pending = new Map<number, TagValueEvent>()
  #timer: NodeJS.Timeout | undefined
  #sentAt = Number.NEGATIVE_INFINITY
  #isSending = false
  #number = 0

  constructor(options: ChannelOptions) {
    this.machineId = options.machineId
    this.tagIds = options.tagIds
    this.#encode = options.encode
  }

  /** Frames made so far, which is the number of the last one. */
  get frames(): number {
    return this.#number
  }

  push(values: readonly TagValueEvent[]): void {
    for (const value of values) {
      if (!this.tagIds || this.tagIds.has(value.tagId)) this.#pending.set(value.tagId, value)
    }
    this.#flushSoon()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#pending.clear()
    this.receivers.clear()
  }

  #flushSoon(): void {
    if (this.#pending.size === 0 || this.#timer || this.#isSending) return
    const waitMs = this.#sentAt + gatherMs - performance.now()
    if (waitMs <= 0) this.#flush()
    else this.#timer = setTimeout(() => this.#flush(), waitMs)
  }

  #flush(): void {
    this.#timer = undefined
    this.#sentAt = performance.now()
    const { payload, wire } = this.#encode(this.machineId, [...this.#pending.values()])
    this.#pending.clear()
    this.#isSending = true
    this.#send({ payload, wire, number: ++this.#number }, [...this.receivers], 0)
  }

  #send(frame: ChannelFrame, receivers: readonly Receiver[], from: number): void {
    const to = Math.min(from + burstMax, receivers.length)
    for (let place = from; place < to; place++) {
      const receiver = receivers[place] as Receiver
      // A watch may have ended since the burst began: a right lost is never served from a queue.
      if (this.receivers.has(receiver)) receiver.deliver(this, frame)
    }
    if (to < receivers.length) {
      setImmediate(() => this.#send(frame, receivers, to))
      return
    }
    this.#isSending = false
    this.#flushSoon()
  }
}

/** One key for watchers of the same tags. */
export function channelKey(machineId: number, tagIds: readonly number[]): string {
  return tagIds.length === 0
    ? `${machineId}`
    : `${machineId}:${[...new Set(tagIds)].sort((a, b) => a - b).join(',')}`
}
