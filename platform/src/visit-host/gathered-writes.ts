import type { Writable } from 'node:stream'

/** Below a stream's own mark, at which its source would be paused. */
const bytesMax = 48 * 1024

/**
 * Lets the writes of one turn of the event loop leave together. HTTP/2 hands over 16 kB at a time, and a call of the
 * system for each of them costs more than all else that is done with it.
 */
export class GatheredWrites {
  readonly #target: Writable
  #bytes = 0
  #isGathering = false

  constructor(target: Writable) {
    this.#target = target
  }

  /** To be called before a write of this number of bytes. */
  add(bytes: number): void {
    if (this.#bytes + bytes > bytesMax) this.#release()
    this.#bytes += bytes
    if (this.#isGathering) return
    this.#isGathering = true
    this.#target.cork()
    setImmediate(() => this.#release())
  }

  #release(): void {
    this.#bytes = 0
    if (!this.#isGathering) return
    this.#isGathering = false
    // An end has let everything go.
    if (!this.#target.writableEnded) this.#target.uncork()
  }
}
