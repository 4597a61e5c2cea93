import type { ServerHttp2Stream } from 'node:http2'
import {
  encodePortFrame,
  type PortFrame,
  PortFrameReader,
  portHeader,
  resetStream,
  type StreamLine,
} from '@busbar/link'
import type { Clock } from '../../clock.ts'
import { endUnread } from '../answer-text.ts'

/** As much waits at most until the tunnel takes it, besides frames of a few bytes. */
const aheadBytesMax = 128 * 1024
/** A platform that does not read the last frame is not waited for any longer. */
const lastFrameMs = 10_000

export interface PortLineEvents {
  onFrame(frame: PortFrame): void
  /** Bytes came that are not a frame. */
  onMalformed(): void
  onDrained(): void
  onClose(): void
}

/** One line of a stream: the CONNECT of a tunnel. Nothing that becomes of the tunnel makes it throw. */
export class PortLine implements StreamLine {
  readonly #http2: ServerHttp2Stream
  readonly #from: number
  readonly #clock: Clock
  #hasAnswered = false

  /** `from`: the position that is wanted next. */
  constructor(http2: ServerHttp2Stream, from: number, clock: Clock) {
    this.#http2 = http2
    this.#from = from
    this.#clock = clock
  }

  /** Answers, and begins to read. */
  open(events: PortLineEvents): void {
    this.#answer()
    const http2 = this.#http2
    const reader = new PortFrameReader()
    http2.on('data', (bytes: Buffer) => {
      let frames: PortFrame[]
      try {
        frames = reader.read(bytes)
      } catch {
        events.onMalformed()
        return
      }
      for (const frame of frames) events.onFrame(frame)
    })
    http2.on('drain', events.onDrained)
    // Without the frame `over` this is a line that broke.
    http2.once('end', () => this.cut())
    http2.once('close', events.onClose)
  }

  data(bytes: Buffer): boolean {
    this.#send({ kind: 'data', bytes })
    return !this.isFull
  }

  get isFull(): boolean {
    return this.#http2.writableLength > aheadBytesMax
  }

  got(position: number): void {
    this.#send({ kind: 'got', position })
  }

  end(): void {
    this.#send({ kind: 'end' })
  }

  /** Sends a frame of the agent. */
  tell(frame: PortFrame): void {
    this.#send(frame)
  }

  /** Ends it in order, after a last frame. */
  finish(frame: PortFrame): void {
    const http2 = this.#http2
    this.#send(frame)
    if (!this.#canSend()) return
    const cancel = this.#clock.after(lastFrameMs, () => this.cut())
    http2.once('close', cancel)
    http2.end(() => endUnread(http2))
  }

  /** Ends it, as a line that broke. */
  cut(): void {
    if (!this.#http2.destroyed) resetStream(this.#http2, 'the line of a stream has ended')
  }

  #send(frame: PortFrame): void {
    this.#answer()
    if (!this.#canSend()) return
    const [head, body] = encodePortFrame(frame)
    this.#http2.cork()
    this.#http2.write(head)
    if (body !== undefined) this.#http2.write(body)
    this.#http2.uncork()
  }

  #answer(): void {
    if (this.#hasAnswered || !this.#canSend()) return
    this.#hasAnswered = true
    this.#http2.respond({ ':status': 200, [portHeader.from]: String(this.#from) })
  }

  #canSend(): boolean {
    const { destroyed, closed, writableEnded } = this.#http2
    return !destroyed && !closed && !writableEnded
  }
}
