import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A request as the receiver of a test got it. */
export interface Received {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A status, or the whole answer; `drop`: the connection ends without one, `hang`: it never comes. */
export type ReceiverAnswer = number | 'drop' | 'hang' | ((response: ServerResponse) => void)

/** Somebody's own system, over real HTTP: it notes the requests and answers as it is told. */
export class Receiver {
  readonly requests: Received[] = []
  /** The answer to a request; 204 by default. */
  answer: (request: Received) => ReceiverAnswer | Promise<ReceiverAnswer> = () => 204
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const received = { at: Date.now(), headers: request.headers, body: Buffer.concat(chunks) }
      this.requests.push(received)
      const answer = await this.answer(received)
      if (answer === 'hang') return
      if (answer === 'drop') request.socket.destroy()
      else if (typeof answer === 'number') response.writeHead(answer).end()
      else answer(response)
    })
  })

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get isListening(): boolean {
    return this.#server.listening
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/in`
  }

  async start(port = 0): Promise<this> {
    await once(this.#server.listen(port, '127.0.0.1'), 'listening')
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** The rows of a request's JSON or lines. */
export function rowsOf({
  headers,
  body,
}: Received): { readonly id: string; readonly [field: string]: unknown }[] {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  return headers['content-type'] === 'application/x-ndjson'
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text)
}
