import { tunnelLimits } from './tunnel.ts'

const { windowBytesMin, windowBytesMax, streamsMax } = tunnelLimits

const periodMs = 250
/** A higher rate per second is a transfer that the smallest window may be limiting. */
const bulkBytesPerS = windowBytesMin
/** A stream with less of its window left is not being read: a reader that keeps up returns it at half. */
const stuckBytes = windowBytesMin / 4
/** All streams together, whatever the window. */
const allBytesMax = streamsMax * windowBytesMin
/** A window is returned at its half, and has to grow faster than the round trip is measured. */
const roundTripsAhead = 4

/**
 * Decides how many bytes a peer may send on a stream before its reader has read. HTTP/2 has one initial
 * window for all streams of a session, and changing it changes the open ones too (RFC 9113, 6.9.2): while
 * bytes come in bulk and every reader keeps up it is what the line carries in some round trips, and small
 * otherwise, so that few bytes wait for a reader that is stuck.
 */
export class WindowPolicy {
  #windowBytes: number = windowBytesMin
  #periodBytes = 0
  #periodAt: number

  /** `now` is any clock in milliseconds that never goes backwards; the policy continues from it. */
  constructor(now: number) {
    this.#periodAt = now
  }

  /**
   * Counts what came. True when it is time to decide: at most four times a second, and never without bytes, as no
   * stream gets stuck without any.
   */
  received(bytes: number, now: number): boolean {
    this.#periodBytes += bytes
    return bytes > 0 && now - this.#periodAt >= periodMs
  }

  /**
   * The window to set, in bytes. `leftBytes` is the remaining window of each stream that the peer has not
   * ended, `roundTripMs` the last measured round trip, undefined before the first.
   */
  decide(leftBytes: readonly number[], now: number, roundTripMs: number | undefined): number {
    const bytesPerMs = this.#periodBytes / (now - this.#periodAt)
    this.#periodAt = now
    this.#periodBytes = 0
    const isBulk = bytesPerMs * 1_000 >= bulkBytesPerS
    const isStuck = leftBytes.some((bytes) => bytes < stuckBytes)
    if (!isBulk || isStuck) this.#windowBytes = windowBytesMin
    else {
      // All received bytes may belong to one stream. It does not shrink while bytes come in bulk: a change
      // costs a round trip.
      const wished = Math.max(this.#windowBytes, bytesPerMs * (roundTripMs ?? 0) * roundTripsAhead)
      this.#windowBytes = Math.min(stepOf(wished), mostOf(leftBytes.length))
    }
    return this.#windowBytes
  }

  /** Adds a stream; true if there are too many for the window now. */
  opened(streamCount: number): boolean {
    return this.#windowBytes > mostOf(streamCount)
  }
}

/** The next power of two: a window that changes by little is not worth telling. */
function stepOf(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(bytes, windowBytesMin)))
}

/** The largest window for this many streams. */
function mostOf(streamCount: number): number {
  const share = 2 ** Math.floor(Math.log2(allBytesMax / Math.max(streamCount, 1)))
  return Math.min(windowBytesMax, Math.max(windowBytesMin, share))
}
