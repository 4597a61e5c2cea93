import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { toOutgoingError } from './checked-sockets.ts'
import type { Line } from './line.ts'
import { type Connection, OutgoingError, type OutgoingFault } from './outgoing-error.ts'

export interface OutgoingAnswer {
  readonly status: number
  /** The first line and the headers as they came. */
  readonly head: string
  readonly headers: IncomingHttpHeaders
  /** As it came: a packed body stays packed. */
  readonly body: Buffer
  /** Why the body is not complete; undefined where it is. */
  readonly cut: OutgoingFault | undefined
  /** From the request to the end of the answer. */
  readonly answerMs: number
  readonly connection: Connection
}

type Start = Pick<OutgoingAnswer, 'status' | 'head' | 'headers'>

/** One request on a line, and its answer. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle = Promise.withResolvers<OutgoingAnswer>()
  readonly #line: Line
  readonly #bytesMax: number
  #begunAt = 0
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #isSent = false
  #start: Start | undefined

  constructor(line: Line, bytesMax: number) {
    this.#line = line
    this.#bytesMax = bytesMax
  }

  get answer(): Promise<OutgoingAnswer> {
    return this.#settle.promise
  }

  /** Ends it without the rest of the answer, and the line with it. */
  cut(code: OutgoingFault, detail?: string): void {
    this.#fail(new OutgoingError(code, { detail, connection: this.#line.connection }))
  }

  /** Ends it while the other side does not have the whole request; otherwise the answer counts. */
  withdraw(reason: unknown): void {
    if (this.#isSent && !this.#line.isSending) return
    this.#settle.reject(reason)
    this.#line.end()
  }

  // The client calls these.

  onRequestStart(): void {
    this.#begunAt = performance.now()
  }

  onRequestSent(): void {
    this.#isSent = true
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText = '',
  ): void {
    if (status < 200) return
    this.#start = { status, head: formatHead(status, statusText, rawHeaders as readonly Buffer[]), headers }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const rest = this.#bytesMax - this.#bytes
    this.#chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk)
    this.#bytes += chunk.length
    if (chunk.length > rest) this.cut('answerTooLarge')
  }

  onResponseEnd(): void {
    if (this.#start) this.#complete(this.#start)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { code, name } = error as { code?: string; name: string }
    // A mistake of the caller, such as a header with a line break.
    if (code === 'UND_ERR_INVALID_ARG') this.#settle.reject(error)
    else if (code === 'UND_ERR_HEADERS_OVERFLOW') this.cut('answerTooLarge', code)
    else if (name === 'HTTPParserError' || code?.startsWith('UND_ERR_RES_'))
      this.cut('protocol', code ?? error.message)
    else this.#fail(toOutgoingError(error, this.#line.connection))
  }

  #fail(fault: OutgoingError): void {
    if (this.#start) this.#complete(this.#start, fault.code)
    else this.#settle.reject(fault)
    this.#line.end()
  }

  #complete(start: Start, cut?: OutgoingFault): void {
    this.#settle.resolve({
      ...start,
      body: Buffer.concat(this.#chunks),
      cut,
      answerMs: performance.now() - this.#begunAt,
      // There is an answer, so there was a connection.
      connection: this.#line.connection as Connection,
    })
  }
}

function formatHead(status: number, statusText: string, raw: readonly Buffer[]): string {
  const lines = [`HTTP/1.1 ${status} ${statusText}`]
  for (let n = 0; n < raw.length; n += 2)
    lines.push(`${raw[n]?.toString('latin1')}: ${raw[n + 1]?.toString('latin1')}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
