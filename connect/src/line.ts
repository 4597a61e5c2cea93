import { lineClose, type PortCounts, portLimits, type StreamLine } from '@busbar/link'
import { type RawData, WebSocket } from 'ws'
import { readNumber, readObject, readOneOf, readText } from './checked-json.ts'
import type { Clock, Mode } from './model.ts'

const textBytesMax = 4_096
/** More bytes that the system has not taken make the stream wait. */
const fullBytes = 256 * 1024
const handshakeMsMax = 10_000

/** The end of a line. `code` is 1006 where the line broke. */
export interface LineEnd {
  readonly code: number
  readonly reason: string
}

export interface LineEvents {
  /** `from`: position of the program's next byte that the agent wants. */
  onOpen(from: number, mode: Mode): void
  onData(bytes: Buffer): void
  onGot(position: number): void
  onEnd(): void
  onDrained(): void
  onTicket(ticket: string): void
  /** Since the stream opened. */
  onCounts(counts: PortCounts): void
  onWarning(reason: 'idle' | 'timeUp', at: number): void
  onRoundTrip(ms: number): void
  /** Once, and the last one. */
  onClosed(end: LineEnd): void
}

export interface LineTiming {
  readonly pingMs: number
  /** Without a sign of life for so long, a line is broken. */
  readonly silentMs: number
}

export const lineTiming: LineTiming = portLimits

/** One WebSocket to the platform: it carries one stream until it breaks. */
export class Line implements StreamLine {
  readonly #socket: WebSocket
  readonly #events: LineEvents
  readonly #clock: Clock
  readonly #timing: LineTiming
  #isOpen = false
  #isClosed = false
  #isFull = false
  #closesStream = false
  #heardAt: number
  #pingAt: number | undefined
  #cancelPing: () => void = () => undefined

  constructor(url: URL, ticket: string, events: LineEvents, clock: Clock, timing = lineTiming) {
    this.#events = events
    this.#clock = clock
    this.#timing = timing
    this.#heardAt = clock.monotonic()
    this.#socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${ticket}` },
      perMessageDeflate: false,
      maxPayload: portLimits.frameBytesMax,
      handshakeTimeout: handshakeMsMax,
      followRedirects: false,
    })
    this.#socket.on('message', (data, isBinary) => this.#read(data, isBinary))
    this.#socket.on('pong', () => {
      this.#heard()
      if (this.#pingAt === undefined) return
      this.#events.onRoundTrip(clock.monotonic() - this.#pingAt)
      this.#pingAt = undefined
    })
    this.#socket.on('ping', () => this.#heard())
    this.#socket.on('open', () => {
      this.#heard()
      if (this.#closesStream) this.closeStream()
      else this.#ping()
    })
    this.#socket.on('unexpected-response', (_, response) => {
      response.destroy()
      // Before the WebSocket is there, the status of the answer says the same as its close code.
      const code = response.statusCode === 401 ? lineClose.ticket : 1006
      this.#finish({ code, reason: `HTTP ${response.statusCode}` })
    })
    // Its close follows.
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', (code, reason) => this.#finish({ code, reason: reason.toString() }))
  }

  data(bytes: Buffer): boolean {
    this.#socket.send(bytes, { binary: true }, () => this.#written())
    this.#isFull = this.#socket.bufferedAmount > fullBytes
    return !this.#isFull
  }

  got(position: number): void {
    this.#tell({ got: position })
  }

  end(): void {
    this.#tell({ end: true })
  }

  /** Ends the line, as soon as it is there, and with it the stream, which the agent then does not keep. */
  closeStream(): void {
    this.#closesStream = true
    if (this.#socket.readyState !== WebSocket.OPEN) return
    this.#tell({ close: true })
    this.#socket.close(lineClose.over)
  }

  #tell(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify(message), () => undefined)
  }

  #written(): void {
    if (!this.#isFull || this.#isClosed || this.#socket.bufferedAmount > fullBytes / 2) return
    this.#isFull = false
    this.#events.onDrained()
  }

  #read(data: RawData, isBinary: boolean): void {
    // Always one buffer: the WebSocket's `binaryType` is `nodebuffer`.
    if (this.#isClosed || this.#closesStream || !Buffer.isBuffer(data)) return
    this.#heard()
    try {
      if (!isBinary) this.#readText(data)
      else if (this.#isOpen) this.#events.onData(data)
      else throw new Error('bytes before the stream')
    } catch {
      // Another line may work; if not, the stream ends with its time.
      this.#socket.terminate()
    }
  }

  /** @throws for a text that this version cannot read */
  #readText(bytes: Buffer): void {
    if (bytes.length > textBytesMax) throw new Error('a long text')
    const message = readObject(JSON.parse(bytes.toString()))
    if (message.open !== undefined) {
      const { from, mode } = readObject(message.open)
      if (this.#isOpen) throw new Error('a second opening')
      this.#isOpen = true
      this.#events.onOpen(readPosition(from), readOneOf(mode, ['ro', 'rw']))
    }
    if (message.ticket !== undefined) this.#events.onTicket(readText(message.ticket))
    if (message.counts !== undefined) {
      const { reads, writes, refused } = readObject(message.counts)
      const counts = { reads: readNumber(reads), writes: readNumber(writes), refused: readNumber(refused) }
      this.#events.onCounts(counts)
    }
    if (message.warn !== undefined) {
      const { reason, at } = readObject(message.warn)
      this.#events.onWarning(readOneOf(reason, ['idle', 'timeUp']), readNumber(at))
    }
    if (message.got === undefined && message.end === undefined) return
    if (!this.#isOpen) throw new Error('a message before the stream')
    if (message.got !== undefined) this.#events.onGot(readPosition(message.got))
    if (message.end === true) this.#events.onEnd()
  }

  #heard(): void {
    this.#heardAt = this.#clock.monotonic()
  }

  #ping(): void {
    if (this.#isClosed) return
    if (this.#clock.monotonic() - this.#heardAt > this.#timing.silentMs) {
      this.#socket.terminate()
      return
    }
    this.#pingAt = this.#clock.monotonic()
    this.#socket.ping('', undefined, () => undefined)
    this.#cancelPing = this.#clock.after(this.#timing.pingMs, () => this.#ping())
  }

  #finish(end: LineEnd): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cancelPing()
    this.#socket.terminate()
    this.#events.onClosed(end)
  }
}

/** @throws for a number that is not a position */
function readPosition(value: unknown): number {
  const position = readNumber(value)
  if (!Number.isSafeInteger(position) || position < 0) throw new Error('a wrong position')
  return position
}
