import type { Duplex } from 'node:stream'
import type { ModbusRequest } from '../modbus-tcp/pdu.ts'
import { NoAnswer } from '../polled/protocol.ts'
import { Turns } from '../turns.ts'
import { encodeFrame, findAnswer } from './rtu-frame.ts'

/** The most bytes kept of input that is not an answer. */
const receivedBytesMax = 4_096

export interface LineOptions {
  open(): Promise<Duplex>
  /** No byte for this long separates two frames. */
  silenceMs: number
  /** The time one byte takes on the line. */
  byteMs: number
}

/**
 * A line with several units, which get one request at a time, in the order of the requests. It is open while it has
 * users.
 *
 * An answer says neither which request it answers nor which register it holds. So a unit that let a request time out
 * gets as much time again: what it sends until then is ignored.
 */
export class RtuLine {
  readonly #options: LineOptions
  readonly #turns = new Turns()
  #stream: Duplex | null = null
  #received: Buffer = Buffer.alloc(0)
  #quietSinceMs = 0
  #onBytes: () => void = () => undefined
  #users = 0
  /** Until when a unit may still answer a request that timed out. */
  readonly #lateUntilMs = new Map<number, number>()

  constructor(options: LineOptions) {
    this.#options = options
  }

  /** Not yet opened, or open. */
  get isOpen(): boolean {
    return !this.#stream?.destroyed
  }

  get users(): number {
    return this.#users
  }

  /** It has no users, and a late answer cannot come. */
  get isIdle(): boolean {
    return (
      this.#users === 0 && [...this.#lateUntilMs.values()].every((untilMs) => untilMs <= performance.now())
    )
  }

  join(): void {
    this.#users++
  }

  /** With its last user the line closes, and the pending request ends. */
  leave(): void {
    this.#users--
    if (this.#users > 0) return
    this.#stream?.destroy()
    this.#onBytes()
  }

  async open(): Promise<void> {
    await this.#turns.take(() => this.#ensureOpen())
  }

  /**
   * The unit's answer, an exception too. Rejects if none comes within `timeoutMs`, which counts from the end
   * of the request; the line stays open for the others.
   */
  async ask(unit: number, request: ModbusRequest, timeoutMs: number): Promise<Buffer> {
    // Outside its turn, so that the other units go on.
    await this.#lateAnswers(unit)
    // In its turn and no longer: a unit with many requests waits behind each of the others.
    return this.#turns.take(() => this.#askNow(unit, request, timeoutMs))
  }

  async #askNow(unit: number, request: ModbusRequest, timeoutMs: number): Promise<Buffer> {
    // Another connection to this unit may have given up a request in the meantime.
    await this.#lateAnswers(unit)
    const stream = await this.#ensureOpen()
    await this.#silence()
    const frame = encodeFrame(unit, request.pdu)
    const { byteMs } = this.#options
    this.#received = Buffer.alloc(0)
    stream.write(frame)
    this.#quietSinceMs = performance.now() + frame.length * byteMs
    const limitMs = timeoutMs + (frame.length + request.answerBytes + 3) * byteMs
    try {
      return await this.#answer(stream, unit, request, limitMs)
    } catch (error) {
      // After an answer that did not fit, the true one may still come as well.
      if (!stream.destroyed) this.#lateUntilMs.set(unit, performance.now() + limitMs)
      throw error
    }
  }

  /** Waits until the unit has no more time to answer a request that timed out. */
  async #lateAnswers(unit: number): Promise<void> {
    for (;;) {
      const restMs = (this.#lateUntilMs.get(unit) ?? 0) - performance.now()
      if (restMs <= 0 || this.#users === 0) return
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(restMs)))
    }
  }

  #answer(stream: Duplex, unit: number, request: ModbusRequest, limitMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        this.#onBytes = () => undefined
        settle()
      }
      const timer = setTimeout(() => end(() => reject(new NoAnswer(Math.round(limitMs)))), limitMs)
      this.#onBytes = () => {
        if (stream.destroyed) return end(() => reject(new Error('line closed')))
        try {
          const answer = findAnswer(this.#received, unit, request)
          if (answer !== null) end(() => resolve(answer))
        } catch (error) {
          end(() => reject(error))
        }
      }
    })
  }

  async #ensureOpen(): Promise<Duplex> {
    if (this.#users === 0) throw new Error('line closed')
    if (this.#stream !== null && !this.#stream.destroyed) return this.#stream
    const stream = await this.#options.open()
    if (this.#users === 0) {
      stream.destroy()
      throw new Error('line closed')
    }
    stream.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]).subarray(-receivedBytesMax)
      this.#quietSinceMs = performance.now()
      this.#onBytes()
    })
    // An error is followed by close, which is handled; without a listener the process would end.
    stream.on('error', () => undefined)
    stream.on('end', () => stream.destroy())
    stream.on('close', () => this.#onBytes())
    this.#stream = stream
    return stream
  }

  /** Waits until nothing was on the line for as long as separates two frames. */
  async #silence(): Promise<void> {
    for (;;) {
      const restMs = this.#quietSinceMs + this.#options.silenceMs - performance.now()
      if (restMs <= 0 || this.#stream?.destroyed) return
      await new Promise((resolve) => setTimeout(resolve, Math.ceil(restMs)))
    }
  }
}
