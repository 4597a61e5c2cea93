import type { TagValueEvent } from '../kernel/bus/bus.ts'

export const gatherMs = 100
/** Sends between two turns of the event loop: a thousand in a row would hold up everybody else. */
const burstMax = 64

/** A receiver of a channel's frames. */
export interface Receiver {
  /** Sends a frame, or remembers that this channel must be shown anew once the socket has drained. */
  deliver(channel: Channel, frame: Uint8Array): void
  /** Sends word of a changed past; false when it cannot be sent yet: the right, or the first picture, is looked up. */
  deliverHistory(channel: Channel, frame: Uint8Array): boolean
}

export interface ChannelOptions {
  readonly machineId: number
  /** Undefined: every tag of the machine. */
  readonly tagIds: ReadonlySet<number> | undefined
  encode(machineId: number, values: Iterable<TagValueEvent>): Uint8Array
}

/**
 * The frames for all watchers of the same tags: the newest value of each tag, the first after a quiet time at
 * once, then at most every 100 ms, encoded once for all of them.
 */
export class Channel {
  readonly machineId: number
  readonly tagIds: ReadonlySet<number> | undefined
  readonly receivers = new Set<Receiver>()
  readonly #encode: ChannelOptions['encode']
  #pending = new Map<number, TagValueEvent>()
  #timer: NodeJS.Timeout | undefined
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(options: ChannelOptions) {
    this.machineId = options.machineId
    this.tagIds = options.tagIds
    this.#encode = options.encode
  }

  push(values: readonly TagValueEvent[]): void {
    for (const value of values) {
      if (!this.tagIds || this.tagIds.has(value.tagId)) this.#pending.set(value.tagId, value)
    }
    if (this.#pending.size === 0 || this.#timer) return
    const waitMs = this.#sentAt + gatherMs - performance.now()
    if (waitMs <= 0) this.#flush()
    else this.#timer = setTimeout(() => this.#flush(), waitMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#pending.clear()
    this.receivers.clear()
  }

  #flush(): void {
    this.#timer = undefined
    this.#sentAt = performance.now()
    const frame = this.#encode(this.machineId, this.#pending.values())
    this.#pending = new Map()
    this.#send(frame, [...this.receivers], 0)
  }

  #send(frame: Uint8Array, receivers: readonly Receiver[], from: number): void {
    const to = Math.min(from + burstMax, receivers.length)
    for (const receiver of receivers.slice(from, to)) {
      // A watch may have ended since the burst began: a right lost is never served from a queue.
      if (this.receivers.has(receiver)) receiver.deliver(this, frame)
    }
    if (to < receivers.length) setImmediate(() => this.#send(frame, receivers, to))
  }
}

/** One key for watchers of the same tags. */
export function channelKey(machineId: number, tagIds: readonly number[]): string {
  return tagIds.length === 0
    ? `${machineId}`
    : `${machineId}:${[...new Set(tagIds)].sort((a, b) => a - b).join(',')}`
}
