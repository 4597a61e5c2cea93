import type { Duplex } from 'node:stream'
import { Turns } from '../turns.ts'
import type { RtuRequest } from './rtu-frame.ts'
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

/** A line with several units, which get one request at a time, in the order of the requests. */
export class RtuLine {
  readonly #options: LineOptions
  readonly #turns = new Turns()
  #stream: Duplex | null = null
  #received: Buffer = Buffer.alloc(0)
  #quietSinceMs = 0
  #onBytes: () => void = () => undefined
  #closed = false

  constructor(options: LineOptions) {
    this.#options = options
  }

  /**
   * The unit's answer, an exception too. Rejects if none comes within `timeoutMs`, which counts from the end
   * of the request; the line stays open for the others.
   */
  ask(unit: number, request: RtuRequest, timeoutMs: number): Promise<Buffer> {
    // In its turn and no longer: a unit with many requests waits behind each of the others.
    return this.#turns.take(() => this.#askNow(unit, request, timeoutMs))
  }

  /** Ends the line, and the pending request. */
  close(): void {
    this.#closed = true
    this.#stream?.destroy()
    this.#onBytes()
  }

  async #askNow(unit: number, request: RtuRequest, timeoutMs: number): Promise<Buffer> {
    const stream = await this.#ensureOpen()
    await this.#silence()
    const frame = encodeFrame(unit, request.pdu)
    const { byteMs } = this.#options
    this.#received = Buffer.alloc(0)
    stream.write(frame)
    this.#quietSinceMs = performance.now() + frame.length * byteMs
    return this.#answer(stream, unit, request, timeoutMs + (frame.length + request.answerBytes + 3) * byteMs)
  }

  #answer(stream: Duplex, unit: number, request: RtuRequest, limitMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        this.#onBytes = () => undefined
        settle()
      }
      const timer = setTimeout(() => end(() => reject(new Error('no answer'))), limitMs)
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
    if (this.#closed) throw new Error('line closed')
    if (this.#stream !== null && !this.#stream.destroyed) return this.#stream
    const stream = await this.#options.open()
    if (this.#closed) {
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
