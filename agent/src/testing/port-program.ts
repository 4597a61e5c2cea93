import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import {
  encodePortFrame,
  type PortCounts,
  type PortFrame,
  PortFrameReader,
  type PortWrite,
  portHeader,
  ResumableStream,
  resetStream,
  type StreamLine,
} from '@busbar/link'

/** More than one frame on its way: a stream of HTTP/2 sends once in a turn of the event loop. */
const aheadBytesMax = 128 * 1024

export const visitHeaders = (visit: string, mode: 'ro' | 'rw' = 'rw', untilMs = 3_600_000) => ({
  'busbar-visit': visit,
  'busbar-user': 'somebody',
  'busbar-mode': mode,
  'busbar-until': String(Date.now() + untilMs),
})

/** The program's end of a stream, and the platform's between it and the agent: a tool connects to `port`. */
export class PortProgram {
  readonly id = randomBytes(16).toString('base64url')
  readonly headers: Record<string, string>
  /** The tool's connection is served by this. */
  stream: ResumableStream | undefined
  http2: ClientHttp2Stream | undefined
  counts: PortCounts | null = null
  /** Each frame of writes since the present line, in their order. */
  writes: (readonly PortWrite[])[] = []
  /** The agent's last frame. */
  over: PortFrame | null = null
  isDone = false
  #hasOpened = false

  constructor(portName: string, visit: Record<string, string>, tool?: Socket) {
    this.headers = { ':method': 'CONNECT', ':authority': portName, ...visit }
    if (tool !== undefined) this.serve(tool)
  }

  serve(tool: Socket): void {
    const events = {
      onDone: () => {
        this.isDone = true
      },
      onBroken: () => this.end(),
    }
    this.stream = new ResumableStream(tool, events, () => performance.now())
  }

  /** A line in place of the one before; resolves with the agent's answer. */
  async join(session: ClientHttp2Session, more: Record<string, string> = {}): Promise<IncomingHttpHeaders> {
    // Bytes that came over it from here on would come twice.
    this.stream?.detach()
    const http2 = session.request({
      ...this.headers,
      [portHeader.stream]: this.id,
      [portHeader.from]: String(this.stream?.received ?? 0),
      ...(this.#hasOpened ? { [portHeader.resume]: '1' } : {}),
      ...more,
    })
    http2.on('error', () => undefined)
    this.http2 = http2
    this.writes = []
    const [answer] = await once(http2, 'response')
    if (answer[':status'] !== 200) return answer
    this.#hasOpened = true
    const reader = new PortFrameReader()
    http2.on('data', (bytes: Buffer) => {
      for (const frame of reader.read(bytes)) if (this.http2 === http2) this.#take(frame)
    })
    http2.on('drain', () => {
      if (this.http2 === http2) this.stream?.drained()
    })
    http2.once('close', () => {
      if (this.http2 === http2) this.stream?.detach()
    })
    if (this.stream?.attach(lineOf(http2), Number(answer[portHeader.from])) === false)
      throw new Error('the agent asks for a position that is not kept')
    return answer
  }

  /** The line breaks. */
  cut(): void {
    this.stream?.detach()
    if (this.http2 !== undefined && !this.http2.destroyed) resetStream(this.http2, 'cut')
    this.http2 = undefined
  }

  send(frame: PortFrame): void {
    this.http2?.write(Buffer.concat(encodePortFrame(frame)))
  }

  /** The program ends the stream. */
  end(): void {
    this.stream?.close()
    this.send({ kind: 'over' })
  }

  #take(frame: PortFrame): void {
    if (frame.kind === 'data') this.stream?.receive(frame.bytes)
    else if (frame.kind === 'got') this.stream?.receiveGot(frame.position)
    else if (frame.kind === 'end') this.stream?.receiveEnd()
    else if (frame.kind === 'counts') this.counts = frame.counts
    else if (frame.kind === 'writes') this.writes.push(frame.writes)
    else {
      this.over = frame
      this.stream?.close()
    }
  }
}

function lineOf(http2: ClientHttp2Stream): StreamLine {
  const send = (frame: PortFrame): boolean => {
    if (http2.destroyed || http2.closed) return true
    http2.write(Buffer.concat(encodePortFrame(frame)))
    return http2.writableLength <= aheadBytesMax
  }
  return {
    data: (bytes) => send({ kind: 'data', bytes }),
    got: (position) => void send({ kind: 'got', position }),
    end: () => void send({ kind: 'end' }),
  }
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Both ends of a connection. */
export async function openPair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  const accepted = once(server, 'connection')
  const socket = connect({ port: await listen(server), host: '127.0.0.1', allowHalfOpen: true })
  const [other] = (await accepted) as [Socket]
  server.close()
  return [socket, other]
}
