import { tunnelLimits } from './tunnel.ts'

const { windowBytesMin, windowBytesMax, streamsMax } = tunnelLimits

const periodMs = 250
/** More a second than this is a transfer that a window of the least size may be holding back. */
const bulkBytesPerS = windowBytesMin
/** A stream with less of its window left is not being read: a reader that keeps up gives back at half of it. */
const stuckBytes = windowBytesMin / 4
/** So many streams may have the large window: together no more than all of them with the small one. */
const largeStreamsMax = (streamsMax * windowBytesMin) / windowBytesMax

/**
 * How much a peer may send on a stream before its reader has read. HTTP/2 has one initial window for all streams of a
 * session, and changing it changes the open ones too (RFC 9113, 6.9.2): it is large while bytes come in bulk and every
 * reader keeps up, and small otherwise, so that few bytes wait for a reader that is stuck.
 */
export class WindowPolicy {
  #windowBytes: number = windowBytesMin
  #periodBytes = 0
  #periodAt: number

  /** `now` is any clock in milliseconds that never goes backwards; each call goes on from it. */
  constructor(now: number) {
    this.#periodAt = now
  }

  /**
   * Counts what came. True when it is time to decide: at most four times a second, and never without bytes, as no
   * stream gets stuck without any.
   */
  received(bytes: number, now: number): boolean {
    this.#periodBytes += bytes
    return now - this.#periodAt >= periodMs
  }

  /** The window to set, in bytes. `leftBytes` is what the peer may still send on each stream that it has not ended. */
  decide(leftBytes: readonly number[], now: number): number {
    const isBulk = this.#periodBytes * 1_000 >= bulkBytesPerS * (now - this.#periodAt)
    this.#periodAt = now
    this.#periodBytes = 0
    const isStuck = leftBytes.some((bytes) => bytes < stuckBytes)
    this.#windowBytes =
      isBulk && !isStuck && leftBytes.length <= largeStreamsMax ? windowBytesMax : windowBytesMin
    return this.#windowBytes
  }

  /** A stream more. True when they have become too many for the large window. */
  opened(streamCount: number): boolean {
    return this.#windowBytes > windowBytesMin && streamCount > largeStreamsMax
  }
}
