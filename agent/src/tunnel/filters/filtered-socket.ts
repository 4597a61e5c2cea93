import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { PortOverReason } from '@busbar/link'
import type { PortFilter } from './port-filter.ts'

const readAheadBytes = 64 * 1024

/** The agent ends a connection for `reason`. */
export class FilterOver extends Error {
  readonly reason: PortOverReason

  constructor(reason: PortOverReason) {
    super(`what came is ${reason}`)
    this.name = 'FilterOver'
    this.reason = reason
  }
}

/** A controller's connection behind a filter: bytes of the tool are written, and answers read. */
export class FilteredSocket extends Duplex {
  readonly #socket: Socket
  readonly #filter: PortFilter
  /** The agent's answers, until the controller is between two of its own. */
  #waiting: Buffer[] = []
  /** Takes more of the tool. */
  #next: (() => void) | undefined
  #isFull = false
  #isOver = false
  /** The controller sends nothing more. */
  #hasEnded = false

  /** `socket` allows half-open connections. */
  constructor(socket: Socket, filter: PortFilter) {
    super({ allowHalfOpen: true, readableHighWaterMark: readAheadBytes })
    this.#socket = socket
    this.#filter = filter
    socket.on('data', (bytes: Buffer) => this.#answer(bytes))
    socket.once('end', () => {
      this.#hasEnded = true
      this.#sendWaiting()
      this.push(null)
      this.#takeNext()
    })
    socket.on('error', (error) => this.destroy(error))
    socket.once('close', () => {
      if (!this.#hasEnded) this.destroy(new Error('the connection closed'))
    })
  }

  override _read(): void {
    this.#isFull = false
    this.#socket.resume()
    this.#takeNext()
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#isOver) {
      done()
      return
    }
    const { pass, answers, over } = this.#filter.request(bytes)
    this.#waiting.push(...answers)
    if (this.#filter.isBetweenAnswers || this.#hasEnded) this.#sendWaiting()
    if (over !== null) {
      this.#isOver = true
      // After the last refusal has gone.
      setImmediate(() => this.destroy(new FilterOver(over)))
    }
    // A tool that does not read its refusals is not read either.
    const next = (): void => {
      this.#next = done
      this.#takeNext()
    }
    if (pass.length === 0) next()
    else this.#socket.write(Buffer.concat(pass), (error) => (error ? done(error) : next()))
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#filter.endRequests()
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #answer(bytes: Buffer): void {
    const end = this.#filter.answerEnd(bytes)
    if (end === -1 || this.#waiting.length === 0) {
      this.#send(bytes)
    } else {
      this.#send(bytes.subarray(0, end))
      this.#sendWaiting()
      if (end < bytes.length) this.#send(bytes.subarray(end))
    }
    if (this.#filter.isBetweenAnswers) this.#sendWaiting()
    this.#takeNext()
  }

  #sendWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length > 0 && !this.#hasEnded) this.#send(Buffer.concat(waiting))
  }

  #send(bytes: Buffer): void {
    if (this.push(bytes)) return
    this.#isFull = true
    this.#socket.pause()
  }

  #takeNext(): void {
    if (this.#isFull || this.#waiting.length > 0) return
    const next = this.#next
    this.#next = undefined
    next?.()
  }
}
