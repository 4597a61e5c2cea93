import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text as readWhole } from 'node:stream/consumers'
import { ResumableStream } from '@busbar/link'
import { type WebSocket, WebSocketServer } from 'ws'

/** The answer to a call: the data of the envelope, or a failure. */
type Answer = object | { readonly fails: { http: number; code: string; message: string; data?: object } }

interface Call {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
  readonly token: string
}

/** A refusal of lines: the close code with its reason, for so many of them. */
interface Refused {
  readonly code: number
  readonly reason: string
  left: number
}

/** A platform with an agent behind it, in one: the calls of the program, and lines to one controller. */
export class FakePlatform {
  readonly calls: Call[] = []
  /** Texts of programs, as they came. */
  readonly texts: string[] = []
  readonly answers = new Map<string, (call: Call) => Answer>()
  readonly streams = new Map<string, ResumableStream>()
  readonly #lines = new Set<WebSocket>()
  readonly #tickets = new Set<string>()
  readonly #server: Server
  readonly #sockets: WebSocketServer
  /** Where the controller listens. */
  readonly #controllerPort: number
  #refused: Refused | undefined
  mode: 'ro' | 'rw' = 'rw'
  opened = 0

  private constructor(controllerPort: number, options: { readonly answersPings: boolean }) {
    this.#controllerPort = controllerPort
    this.#sockets = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      autoPong: options.answersPings,
    })
    this.#server = createServer((request, response) => void this.#answer(request, response))
    this.#server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => undefined)
      this.#sockets.handleUpgrade(request, socket, head, (line) => this.#take(line, request))
    })
  }

  static async start(controllerPort = 0, options = { answersPings: true }): Promise<FakePlatform> {
    const platform = new FakePlatform(controllerPort, options)
    await new Promise<void>((resolve) => platform.#server.listen(0, '127.0.0.1', resolve))
    platform.answers.set('POST /api/v1/visits/tcp', () => platform.openVisit())
    return platform
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get lines(): number {
    return this.#lines.size
  }

  openVisit() {
    return {
      sessionId: 7,
      connectUrl: `${this.url.replace('http', 'ws')}/visitPort`,
      ticket: this.createTicket(),
      expireAt: Date.now() + 3_600_000,
      mode: this.mode,
    }
  }

  createTicket(): string {
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return ticket
  }

  forgetTickets(): void {
    this.#tickets.clear()
  }

  /** Closes the next lines with this code, in place of opening a stream. */
  refuse(code: number, reason = '', lines = 1): void {
    this.#refused = { code, reason, left: lines }
  }

  /** Breaks every line as a network does. */
  cut(): void {
    for (const line of this.#lines) line.terminate()
  }

  /** Closes every line with a code. */
  closeLines(code: number, reason: string): void {
    for (const line of this.#lines) line.close(code, reason)
  }

  say(message: object): void {
    for (const line of this.#lines) line.send(JSON.stringify(message))
  }

  countCalls(key: string): number {
    return this.calls.filter(({ method, path }) => `${method} ${path}` === key).length
  }

  async stop(): Promise<void> {
    for (const stream of this.streams.values()) stream.close()
    this.cut()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readWhole(request)
    const url = new URL(request.url ?? '', this.url)
    const call = {
      method: request.method ?? '',
      path: url.pathname,
      body: body ? JSON.parse(body) : Object.fromEntries(url.searchParams),
      token: request.headers.authorization?.replace('Bearer ', '') ?? '',
    }
    this.calls.push(call)
    const answer = this.answers.get(`${call.method} ${call.path}`)?.(call) ?? {
      fails: { http: 404, code: '404', message: 'no such call' },
    }
    response.setHeader('content-type', 'application/json')
    if ('fails' in answer) {
      const { http, code, message, data } = answer.fails
      response.statusCode = http
      response.end(
        JSON.stringify({
          hwcode: 420,
          hwreason: message,
          ...(data ? { hwdata: data } : {}),
          error: { code, message },
        }),
      )
    } else response.end(JSON.stringify({ hwcode: 0, hwreason: 'OK', hwdata: answer }))
  }

  #take(line: WebSocket, request: IncomingMessage): void {
    line.on('error', () => undefined)
    const ticket = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!this.#tickets.delete(ticket)) {
      line.close(4401, 'ticket')
      return
    }
    if (this.#refused && this.#refused.left > 0) {
      this.#refused.left--
      line.close(this.#refused.code, this.#refused.reason)
      return
    }
    const { searchParams } = new URL(request.url ?? '', this.url)
    const id = searchParams.get('stream') ?? ''
    const isResumed = searchParams.get('resume') === '1'
    const stream = this.streams.get(id) ?? (isResumed ? undefined : this.#open(id))
    if (!stream) {
      line.close(4410, 'gone')
      return
    }
    this.#lines.add(line)
    line.send(JSON.stringify({ open: { from: stream.received, mode: this.mode } }))
    line.send(JSON.stringify({ ticket: this.createTicket() }))
    line.on('message', (data, isBinary) => {
      if (isBinary) {
        stream.receive(Buffer.from(data as Buffer))
        return
      }
      this.texts.push(String(data))
      const message = JSON.parse(String(data))
      if (message.got !== undefined) stream.receiveGot(message.got)
      if (message.end) stream.receiveEnd()
      if (message.close) {
        stream.close()
        this.streams.delete(id)
        line.close(1000)
      }
    })
    line.on('close', () => {
      this.#lines.delete(line)
      stream.detach()
    })
    const isAttached = stream.attach(
      {
        data(bytes) {
          line.send(bytes)
          return true
        },
        got: (position) => line.send(JSON.stringify({ got: position })),
        end: () => line.send(JSON.stringify({ end: true })),
      },
      Number(searchParams.get('from')),
    )
    if (!isAttached) line.close(4410, 'positions')
  }

  #open(id: string): ResumableStream {
    this.opened++
    const socket = connect({ port: this.#controllerPort, host: '127.0.0.1', allowHalfOpen: true })
    const stream = new ResumableStream(socket, { onDone: () => undefined, onBroken: () => undefined }, () =>
      performance.now(),
    )
    this.streams.set(id, stream)
    return stream
  }
}
