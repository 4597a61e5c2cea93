import { Duplex } from 'node:stream'
import { tunnelLimits } from './tunnel.ts'

/** The part of an open WebSocket of the package `ws` that the tunnel uses. */
export interface TunnelSocket {
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown
  on(event: 'close' | 'ping' | 'pong', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  send(bytes: Uint8Array, done: (error?: Error | null) => void): void
  pause(): void
  resume(): void
  close(code: number, reason: string): void
  terminate(): void
}

/** Frames of HTTP/2 smaller than this travel together; larger ones go as they are, uncopied. */
const gatherBytesMax = 8 * 1024
/** Time a peer may take to close its side. */
const closeMsMax = 2_000

type Done = (error?: Error | null) => void

/**
 * A WebSocket as the byte stream HTTP/2 runs on. Writing waits for the network; reading pauses the socket once
 * `tunnelLimits.readAheadBytesMax` wait to be read.
 *
 * Node's HTTP/2 does not read while it writes. If two ends write to each other and both wait to be read, they
 * would be stuck, so each accepts as much as it allowed the other to send: the read-ahead is larger than the
 * session's window.
 */
export class TunnelStream extends Duplex {
  readonly #socket: TunnelSocket
  readonly #heard: (bytes: number) => void
  readonly #sent: (bytes: number) => void

  /**
   * `heard` is called for every sign of life, with the payload's bytes; `sent` with the bytes given to the
   * socket.
   */
  constructor(socket: TunnelSocket, heard: (bytes: number) => void, sent: (bytes: number) => void = ignore) {
    super({ readableHighWaterMark: tunnelLimits.readAheadBytesMax, allowHalfOpen: false })
    this.#socket = socket
    this.#heard = heard
    this.#sent = sent
    socket.on('message', (data, isBinary) => this.#received(data, isBinary))
    socket.on('ping', () => heard(0))
    socket.on('pong', () => heard(0))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#sent(chunk.length)
    this.#socket.send(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    for (const { chunk } of chunks) this.#sent(chunk.length)
    const messages = gather(chunks.map(({ chunk }) => chunk))
    // The socket keeps the order and once broken fails every send: the last answers for all.
    const last = messages.pop()
    for (const message of messages) this.#socket.send(message, ignore)
    if (last) this.#socket.send(last, done)
    else done()
  }

  override _final(done: Done): void {
    this.#close()
    done()
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#close()
    done(error)
  }

  #received(data: unknown, isBinary: boolean): void {
    if (!isBinary || !(data instanceof Uint8Array)) {
      this.destroy(new Error('a tunnel carries binary frames only'))
      return
    }
    this.#heard(data.length)
    if (this.destroyed || this.readableEnded) return
    if (!this.push(data)) this.#socket.pause()
  }

  #close(): void {
    this.#socket.close(1000, '')
    // A paused socket would never read the peer's side of the close.
    this.#socket.resume()
    setTimeout(() => this.#socket.terminate(), closeMsMax).unref()
  }
}

const ignore = () => undefined

/** Joins small neighbours: a header of nine bytes is too short for a separate message. */
function gather(chunks: readonly Buffer[]): Buffer[] {
  const messages: Buffer[] = []
  let small: Buffer[] = []
  let smallBytes = 0
  const flush = () => {
    if (small.length === 0) return
    messages.push(small.length === 1 ? (small[0] as Buffer) : Buffer.concat(small, smallBytes))
    small = []
    smallBytes = 0
  }
  for (const chunk of chunks) {
    if (smallBytes + chunk.length > gatherBytesMax) flush()
    if (chunk.length > gatherBytesMax) {
      messages.push(chunk)
    } else {
      small.push(chunk)
      smallBytes += chunk.length
    }
  }
  flush()
  return messages
}
