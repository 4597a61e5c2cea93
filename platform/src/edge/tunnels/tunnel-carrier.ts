import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TunnelStream } from '@busbar/link'
import type { WebSocket } from 'ws'

/** The connection under a tunnel's HTTP/2 session. */
export interface TunnelCarrier {
  readonly way: 'webSocket' | 'bytes'
  /** The session's byte stream. */
  readonly bytes: Duplex
  /** Bytes of HTTP/2 since the upgrade. */
  readonly receivedBytes: number
  readonly sentBytes: number
  /** Grows with every sign of life. */
  readonly signs: number
  /** Sends a ping. */
  ping(session: Http2Session): void
  /** Ends it; the agent gets the code. */
  close(session: Http2Session, code: number, reason: string): void
}

/** HTTP/2 in the messages of a WebSocket. */
export class WebSocketCarrier implements TunnelCarrier {
  readonly way = 'webSocket'
  readonly bytes: TunnelStream
  receivedBytes = 0
  sentBytes = 0
  signs = 0
  readonly #ws: WebSocket

  constructor(ws: WebSocket) {
    this.#ws = ws
    const heard = (count: number) => {
      this.signs++
      this.receivedBytes += count
    }
    this.bytes = new TunnelStream(ws, heard, (count) => {
      this.sentBytes += count
    })
  }

  ping(): void {
    this.#ws.ping()
  }

  close(session: Http2Session, code: number, reason: string): void {
    this.#ws.close(code, reason)
    session.destroy(new Error(reason))
  }
}

/**
 * HTTP/2 itself on a socket that has left HTTP/1.1. Node's HTTP/2 takes the socket's own handle: no byte passes through
 * JavaScript between the network and a stream.
 */
export class BytesCarrier implements TunnelCarrier {
  readonly way = 'bytes'
  readonly bytes: Socket
  readonly #readBefore: number
  readonly #writtenBefore: number

  constructor(socket: Socket) {
    this.bytes = socket
    this.#readBefore = socket.bytesRead
    this.#writtenBefore = socket.bytesWritten
    // A half-closed tunnel is useless.
    socket.once('end', () => socket.destroy())
  }

  get receivedBytes(): number {
    return this.bytes.bytesRead - this.#readBefore
  }

  get sentBytes(): number {
    return this.bytes.bytesWritten - this.#writtenBefore
  }

  get signs(): number {
    return this.bytes.bytesRead
  }

  ping(session: Http2Session): void {
    if (!session.destroyed && !session.connecting) session.ping(() => undefined)
  }

  close(session: Http2Session, code: number, reason: string): void {
    // The code goes out as GOAWAY, as far as the agent still reads.
    session.destroy(new Error(reason), code)
  }
}
