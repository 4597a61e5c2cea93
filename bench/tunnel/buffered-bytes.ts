import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Buffering = Pick<Duplex, 'readableLength' | 'writableLength' | 'once'>

/**
 * Bytes of a process's HTTP requests that have arrived and not left: the amount that a stuck reader makes it
 * keep.
 */
export class BufferedBytes {
  readonly #open = new Set<Partial<Buffering>>()

  /** Counts what is opened from here on. */
  constructor() {
    subscribe('http2.client.stream.created', (told) => this.#add((told as { stream: Duplex }).stream))
    subscribe('http2.server.stream.created', (told) => this.#add((told as { stream: Duplex }).stream))
    subscribe('http.server.request.start', (told) =>
      this.#add((told as { response: ServerResponse }).response),
    )
    subscribe('http.client.response.finish', (told) =>
      this.#add((told as { response: IncomingMessage }).response),
    )
  }

  sum(): number {
    let bytes = 0
    for (const { readableLength = 0, writableLength = 0 } of this.#open)
      bytes += readableLength + writableLength
    return bytes
  }

  #add(one: Duplex | ServerResponse | IncomingMessage): void {
    this.#open.add(one as Partial<Buffering>)
    one.once('close', () => this.#open.delete(one as Partial<Buffering>))
  }
}
