import type { Clock } from '../../clock.ts'
import { errorReason } from '../../log.ts'
import { Refused } from '../driver.ts'
import type { Presence } from './presence.ts'
import type { OpenLine } from './protocol.ts'
import { NoAnswer } from './protocol.ts'

export interface PolledLineParts<Line> {
  clock: Clock
  presence: Presence
  open(): Promise<Line>
}

const idleMs = 500
const closed = 'the connection was closed here'

/** There is no line to the controller. */
export class OpenFailed extends Error {}

/** The line to one controller: opened when it is needed, again after a fault, at a growing distance while it is away. */
export class PolledLine<Line extends OpenLine> {
  readonly #parts: PolledLineParts<Line>
  #line: Line | null = null
  /** It answered since it was opened. */
  #isProven = false
  /** The other side closed it at the last fault. */
  #hasEnded = false
  /** Monotonic ms. */
  #answeredAtMs = 0
  #retryAtMs = 0
  #isClosed = false

  constructor(parts: PolledLineParts<Line>) {
    this.#parts = parts
  }

  get isOpen(): boolean {
    return this.#line?.isOpen() ?? false
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The controller did not answer lately, and its time has not come. */
  get isResting(): boolean {
    return this.#isClosed || this.#parts.clock.monotonic() < this.#retryAtMs
  }

  /** Open without an answer for a while: the other end may have forgotten it without closing it. */
  get isIdle(): boolean {
    return this.#line !== null && this.#parts.clock.monotonic() - this.#answeredAtMs >= idleMs
  }

  /** Opens it if it is not open; rejects with `OpenFailed`. */
  async open(): Promise<Line> {
    if (this.#isClosed) throw new OpenFailed(closed)
    if (this.#line?.isOpen()) return this.#line
    this.drop()
    const opened = await this.#parts.open().catch((error: unknown) => {
      throw new OpenFailed(errorReason(error))
    })
    if (this.#isClosed) {
      opened.close()
      throw new OpenFailed(closed)
    }
    this.#isProven = false
    this.#answeredAtMs = this.#parts.clock.monotonic()
    this.#line = opened
    return opened
  }

  /**
   * Asks over the open line. Where it answered before and ended in the meantime, or was idle and is forgotten at the other
   * end, the question is asked once more over a new one. After any other fault the line is closed.
   */
  async ask<T>(question: (line: Line) => Promise<T>): Promise<T> {
    await this.open()
    const mayBeStale = this.#isProven
    const { isIdle } = this
    try {
      return await this.askOnce(question)
    } catch (error) {
      const isForgotten = error instanceof NoAnswer ? isIdle : this.#hasEnded
      if (error instanceof Refused || this.#isClosed || !mayBeStale || !isForgotten) throw error
      return await this.askOnce(question)
    }
  }

  /** For questions that must not be repeated; see `isIdle`. */
  async askOnce<T>(question: (line: Line) => Promise<T>): Promise<T> {
    const line = await this.open()
    try {
      const answer = await question(line)
      this.#answered()
      return answer
    } catch (error) {
      this.#hasEnded = !line.isOpen()
      if (error instanceof Refused) this.#answered()
      else this.drop()
      throw error
    }
  }

  #answered(): void {
    this.#isProven = true
    this.#answeredAtMs = this.#parts.clock.monotonic()
  }

  /** Nothing was answered: it rests before the next try. */
  away(error: unknown): void {
    const { clock, presence } = this.#parts
    this.drop()
    if (this.#isClosed) return
    this.#retryAtMs = clock.monotonic() + presence.nextPauseMs()
    presence.away(errorReason(error))
  }

  drop(): void {
    this.#line?.close()
    this.#line = null
  }

  close(): void {
    this.#isClosed = true
    this.drop()
  }
}
