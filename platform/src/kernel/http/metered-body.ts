import { Readable } from 'node:stream'
import type { BodyShare } from './body-budget.ts'
import { Failure } from './failure.ts'

/** Smaller pieces are joined: one that came byte by byte would hold hundreds of times its length. */
const pageBytes = 4_096

/** The limits of a body, and the checks before it is read. */
export interface Metering {
  readonly share: BodyShare
  readonly bytesMax: number
  /** Called once, when something begins to read. */
  onBegin(): void
}

/**
 * A request's body on its way to its parser. Its bytes are counted as they come; above the limit it fails with the
 * Failure to be answered, and the rest is discarded.
 */
export class MeteredBody extends Readable {
  readonly #source: Readable
  readonly #metering: Metering
  #hasBegun = false
  #received = 0
  #page: Buffer | undefined
  #pageLength = 0

  constructor(source: Readable, metering: Metering) {
    super()
    this.#source = source
    this.#metering = metering
    // An error of a body without a reader is ignored.
    this.on('error', () => undefined)
  }

  override _read(): void {
    if (this.#hasBegun) {
      this.#source.resume()
      return
    }
    this.#hasBegun = true
    if (this.#source.destroyed) {
      this.#fail(cutOff())
      return
    }
    this.#metering.onBegin()
    this.#source.on('data', this.#onData)
    this.#source.on('end', this.#onEnd)
    this.#source.on('error', () => this.#fail(cutOff()))
    this.#source.on('close', () => this.#fail(cutOff()))
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#page = undefined
    this.#source.off('data', this.#onData)
    this.#source.off('end', this.#onEnd)
    // The pieces of a failed body are dropped.
    if (error) this.#metering.share.release()
    this.#source.resume()
    done(error)
  }

  #fail(error: Failure): void {
    if (!this.destroyed && !this.readableEnded && !this.#source.readableEnded) this.destroy(error)
  }

  readonly #onData = (chunk: Buffer): void => {
    const { share, bytesMax } = this.#metering
    this.#received += chunk.length
    if (this.#received > bytesMax) {
      this.destroy(tooLong(bytesMax))
      return
    }
    const refused = share.take(chunk.length)
    if (refused) {
      this.destroy(new Failure(refused, { data: { retryIn: 1 } }))
      return
    }
    if (chunk.length >= pageBytes) {
      this.#flush()
      this.#give(chunk)
    } else {
      this.#join(chunk)
    }
  }

  readonly #onEnd = (): void => {
    this.#flush()
    this.push(null)
  }

  #join(chunk: Buffer): void {
    if (this.#pageLength + chunk.length > pageBytes) this.#flush()
    this.#page ??= Buffer.allocUnsafeSlow(pageBytes)
    chunk.copy(this.#page, this.#pageLength)
    this.#pageLength += chunk.length
  }

  #flush(): void {
    const page = this.#page?.subarray(0, this.#pageLength)
    this.#page = undefined
    this.#pageLength = 0
    if (page) this.#give(page)
  }

  #give(bytes: Buffer): void {
    if (!this.push(bytes)) this.#source.pause()
  }
}

/** A body longer than its route accepts; `bytesMax` gives the caller the limit. */
export const tooLong = (bytesMax: number): Failure => new Failure('413', { data: { bytesMax } })

const cutOff = (): Failure => new Failure('400', { field: 'body' })
