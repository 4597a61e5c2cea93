import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { VisitClient } from '@busbar/testkit'

/** The kinds of streams that a person can have open in a machine's page. */
export type Kind = 'waiting' | 'download' | 'upload' | 'events' | 'socket'

export const pieceMs = 20
const contentTypes: Partial<Record<Kind, string>> = { events: 'text/event-stream' }

/** One way of an open thing: numbered pieces, and the newest that arrived. */
export class Pieces {
  sent = 0
  arrived = 0
  /** Pieces with a higher number were sent after the end was seen. */
  sentAtEnd = Number.POSITIVE_INFINITY
  #rest = ''

  next(): string {
    this.sent++
    return `#${String(this.sent).padStart(6, '0')};`
  }

  read(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1')
    for (const [, number] of text.matchAll(/#(\d{6});/g)) this.arrived = Number(number)
    this.#rest = text.slice(-8)
  }

  /** The end was seen. */
  markEnd(): void {
    this.sentAtEnd = Math.min(this.sentAtEnd, this.sent)
  }

  get lateCount(): number {
    return Math.max(0, this.arrived - this.sentAtEnd)
  }
}

/**
 * One request of a visitor, from its bare connection to the machine's stream. Both ends send a numbered piece every 20
 * ms for as long as they can, and remember the received ones.
 */
export class OpenThing {
  readonly kind: Kind
  readonly #socket: Socket
  readonly #stream: ServerHttp2Stream
  readonly #toVisitor = new Pieces()
  readonly #toMachine = new Pieces()
  readonly #timer: NodeJS.Timeout
  #openEnds = 2
  #isEnding = false
  #answer = ''

  private constructor(kind: Kind, socket: Socket, stream: ServerHttp2Stream, onEnd: () => void) {
    this.kind = kind
    this.#socket = socket
    this.#stream = stream
    socket.on('data', (chunk: Buffer) => {
      this.#answer ||= chunk.toString('latin1')
      this.#toVisitor.read(chunk)
    })
    stream.on('data', (chunk: Buffer) => this.#toMachine.read(chunk))
    for (const end of [socket, stream]) {
      end.once('close', () => {
        this.#openEnds--
        onEnd()
      })
    }
    const type = contentTypes[kind]
    if (kind !== 'waiting' && kind !== 'upload')
      stream.respond({ ':status': 200, ...(type ? { 'content-type': type } : {}) })
    this.#timer = setInterval(() => this.#send(), pieceMs)
  }

  /**
   * Opens it; `arrival` is the machine's end of it. `onEnd` is called at the first sign of an end, on either side, and
   * at the second.
   */
  static async open(
    kind: Kind,
    client: VisitClient,
    path: string,
    arrival: Promise<ServerHttp2Stream>,
    onEnd: () => void,
  ): Promise<OpenThing> {
    const socket = await client.openSocket()
    const { promise: refused, reject } = Promise.withResolvers<never>()
    const refuse = (answer: Buffer) => reject(new Error(`${kind} was not let in: ${answer}`))
    socket.once('data', refuse)
    socket.write(formatHead(kind, client, path))
    const stream = await Promise.race([arrival, refused])
    socket.off('data', refuse)
    return new OpenThing(kind, socket, stream, onEnd)
  }

  /** The latest numbers sent. */
  get sent(): { toVisitor: number; toMachine: number } {
    return { toVisitor: this.#toVisitor.sent, toMachine: this.#toMachine.sent }
  }

  /** Pieces that arrived of those sent after `mark`, on the slower way. */
  countAfter(mark: { toVisitor: number; toMachine: number }): number {
    const counts = [Number.POSITIVE_INFINITY]
    if (this.#tellsVisitor) counts.push(this.#toVisitor.arrived - mark.toVisitor)
    if (this.#tellsMachine) counts.push(this.#toMachine.arrived - mark.toMachine)
    return Math.min(...counts)
  }

  /** Pieces that arrived of those sent after `mark`, on the faster way. */
  passedAfter(mark: { toVisitor: number; toMachine: number }): number {
    const { arrived } = this.#toVisitor
    return Math.max(0, arrived - mark.toVisitor, this.#toMachine.arrived - mark.toMachine)
  }

  /** The end of its visit was seen: nothing that is sent from here on may arrive. */
  markEnd(): void {
    for (const pieces of [this.#toVisitor, this.#toMachine]) pieces.markEnd()
    this.#isEnding = true
  }

  /** `open`, `half open`, `cut`, the bytes that passed after the end, or the answer to a waiting request. */
  get state(): string {
    const late = this.#toVisitor.lateCount + this.#toMachine.lateCount
    if (late > 0) return `${late} pieces passed after the end`
    if (this.kind === 'waiting' && this.#answer) return `answered ${this.#answer.slice(9, 12)}`
    return ['cut', 'half open', 'open'][this.#openEnds] ?? ''
  }

  close(): void {
    clearInterval(this.#timer)
    this.#socket.destroy()
    this.#stream.close()
  }

  get #tellsVisitor(): boolean {
    return this.kind !== 'waiting' && this.kind !== 'upload'
  }

  get #tellsMachine(): boolean {
    return this.kind === 'upload' || this.kind === 'socket'
  }

  #send(): void {
    const stream = this.#stream
    if (!stream.destroyed && this.#tellsVisitor) stream.write(this.#toVisitor.next())
    // The machine answers at last, when the visitor must not get it any more.
    else if (!stream.destroyed && this.#isEnding && !stream.headersSent) {
      stream.respond({ ':status': 200 })
      stream.write(this.#toVisitor.next())
    }
    if (this.#socket.destroyed || !this.#tellsMachine) return
    const piece = this.#toMachine.next()
    this.#socket.write(this.kind === 'upload' ? `8\r\n${piece}\r\n` : piece)
  }
}

function formatHead(kind: Kind, { host, origin, cookie }: VisitClient, path: string): string {
  const base = `${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n`
  if (kind === 'upload') return `POST ${base}Transfer-Encoding: chunked\r\n\r\n`
  if (kind !== 'socket') return `GET ${base}\r\n`
  // The bytes after the handshake need not be frames: the platform passes them unread.
  return `GET ${base}Origin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
}
