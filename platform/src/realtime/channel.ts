import type { TagValueEvent } from '../kernel/bus/bus.ts'
import type { SharedFrame } from './shared-frame.ts'

export const gatherMs = 100

/** A frame and its place among those of its channel, from 1. */
export interface ChannelFrame extends SharedFrame {
  readonly number: number
}

/** A receiver of a channel's frames. */
export interface Receiver {
  /** Sends a frame in the receiver's turn, or remembers that this channel must be shown anew once the socket has drained. */
  deliver(channel: Channel, frame: ChannelFrame): void
  /**
   * Sends the update of a changed past, or of changed tags; false while it cannot be sent, because the right, or the
   * first picture, is being loaded.
   */
  deliverUpdate(channel: Channel, frame: Uint8Array): boolean
}

export interface ChannelOptions {
  readonly machineId: number
  /** Undefined: every tag of the machine. */
  readonly tagIds: ReadonlySet<number> | undefined
  encode(machineId: number, values: readonly TagValueEvent[]): SharedFrame
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
  #number = 0

  constructor(options: ChannelOptions) {
    this.machineId = options.machineId
    this.tagIds = options.tagIds
    this.#encode = options.encode
  }

  /** Number of frames made so far, which is the number of the last one. */
  get frames(): number {
    return this.#number
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
    const { payload, wire } = this.#encode(this.machineId, [...this.#pending.values()])
    this.#pending.clear()
    const frame = { payload, wire, number: ++this.#number }
    for (const receiver of this.receivers) receiver.deliver(this, frame)
  }
}

/** One key for watchers of the same tags. */
export function channelKey(machineId: number, tagIds: readonly number[]): string {
  return tagIds.length === 0
    ? `${machineId}`
    : `${machineId}:${[...new Set(tagIds)].sort((a, b) => a - b).join(',')}`
}
