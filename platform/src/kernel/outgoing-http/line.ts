import type { Client, Dispatcher } from 'undici'
import type { OpenedSocket } from './checked-sockets.ts'
import type { Connection } from './outgoing-error.ts'

const headerBytesMax = 16_384
/** Without use; 4 s where the other side names no time. */
const idleMsMax = 60_000

/** One request after the other to one origin. A connection is opened, and checked, when there is none. */
export class Line {
  readonly #client: Client
  #opened: OpenedSocket | undefined
  #deadlineMs = 0

  constructor(
    library: typeof import('undici'),
    origin: string,
    open: (deadlineMs: number) => Promise<OpenedSocket>,
  ) {
    this.#client = new library.Client(origin, {
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      // Each exchange has a deadline that covers them.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: idleMsMax,
      connect: (_options, done) => {
        const use = (opened: OpenedSocket) => {
          this.#opened = opened
          done(null, opened.socket)
        }
        open(this.#deadlineMs).then(use, (error: Error) => done(error, null))
      },
    })
  }

  /** The connection of the newest request. */
  get connection(): Connection | undefined {
    return this.#opened?.connection
  }

  get isOpen(): boolean {
    return !this.#client.destroyed && this.#opened?.socket.destroyed === false
  }

  /** Whether the other side has not taken all that was sent. */
  get isSending(): boolean {
    return (this.#opened?.socket.writableLength ?? 0) > 0
  }

  /** Sends a request; it has `deadlineMs` for a connection, if one has to be opened. */
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, deadlineMs: number): void {
    this.#deadlineMs = deadlineMs
    this.#client.dispatch(request, handler)
  }

  end(): void {
    void this.#client.destroy()
  }
}

/** Lines that are kept for the next request of their space to their origin. */
export class IdleLines {
  readonly #byKey = new Map<string, Line[]>()
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The one that was used last, if it is still open. */
  take(key: string): Line | undefined {
    const lines = this.#byKey.get(key) ?? []
    const line = lines.pop()
    if (lines.length === 0) this.#byKey.delete(key)
    if (line === undefined) return undefined
    this.#count--
    return line.isOpen ? line : this.take(key)
  }

  /** Keeps a line until the other side ends it, it has had no use for long, or others need its place. */
  keep(key: string, line: Line): void {
    const lines = this.#byKey.get(key)
    if (lines) lines.push(line)
    else this.#byKey.set(key, [line])
    if (++this.#count <= this.#max) return
    const [oldest = ''] = this.#byKey.keys()
    this.take(oldest)?.end()
  }

  close(): void {
    for (const line of [...this.#byKey.values()].flat()) line.end()
    this.#byKey.clear()
    this.#count = 0
  }
}
