import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import type { visits as contract } from '@busbar/contract'
import {
  type AgentPort,
  encodePortFrame,
  isUnderstood,
  lineClose,
  type PortFrame,
  type PortWrite,
  portHeader,
  portLimits,
  resetStream,
} from '@busbar/link'
import type { WebSocket } from 'ws'
import type { EdgeLink, TunnelLine } from '../edge-link/edge-link.ts'
import { every } from '../kernel/every.ts'
import type { Logger } from '../kernel/logger.ts'
import type { VisitChangesModule } from '../modules/visit-changes/index.ts'
import {
  mayLookAt,
  type OpenVisit,
  type PortVisits,
  type VisitHold,
  type VisitStream,
} from '../modules/visits/index.ts'
import { type Relay, relay } from '../visit-host/relay.ts'
import { visitHeaders } from '../visit-host/request-headers.ts'
import { FrameSink, formatMessage, isWrongLength, MessageSource, parseText } from './line-messages.ts'
import { type LineQuery, parseLineQuery } from './line-query.ts'
import type { PortStream, PortStreams } from './port-streams.ts'

/** The codes for the answers of an agent that opens no stream. */
const closeByStatus: Readonly<Record<number, readonly [code: number, reason: string]>> = {
  403: [lineClose.notAllowed, 'notAllowed'],
  404: [lineClose.unknownPort, 'port'],
  409: [lineClose.tooMany, 'connections'],
  410: [lineClose.gone, 'gone'],
  502: [lineClose.unreachable, 'unreachable'],
  504: [lineClose.unreachable, 'unreachable'],
}

/** An agent that answers nothing for longer is away; it gives up a controller sooner. */
const openMsMax = 20_000
const ticketMs = 30_000
/** A program that does not close after it was told why is disconnected, and an agent that does not end is reset. */
const lingerMs = 1_000

export interface PortLineDeps {
  readonly portVisits: PortVisits
  readonly portWrites: VisitChangesModule['portWrites']
  readonly link: Pick<EdgeLink, 'tunnel'>
  readonly streams: PortStreams
  readonly logger: Logger
  now(): number
}

/** The request of a line. */
export interface AskedLine {
  readonly authorization: string | undefined
  readonly query: URLSearchParams
}

/** Why a line is not opened, or ends. */
class Closed extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
    this.reason = reason
  }
}

/**
 * One line of a stream to a machine's port: a program's WebSocket on one side, a CONNECT in the machine's tunnel on the
 * other. It passes frames on as long as the visit may, and keeps none of them: the stream's ends do
 * (docs/decisions/0110-a-stream-to-a-port-is-kept-by-agent-and-program.md).
 */
export class PortLine implements VisitStream {
  readonly #ws: WebSocket
  readonly #deps: PortLineDeps
  readonly #source: MessageSource
  readonly #relays: Relay[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #warnings: string[] = []
  #stream: ClientHttp2Stream | undefined
  #hold: VisitHold | undefined
  #forget: () => void = () => undefined
  #isOpen = false
  #isOver = false
  /** The program has ended the stream: its last frame is still to reach the agent. */
  #isClosing = false
  #heardAt = performance.now()

  constructor(ws: WebSocket, deps: PortLineDeps) {
    this.#ws = ws
    this.#deps = deps
    this.#source = new MessageSource(ws)
    ws.on('error', () => undefined)
    ws.once('close', () => this.#lostProgram())
    // Nothing is read before the visit is known.
    ws.pause()
  }

  /** Serves it; resolves when it is open, or closed with the reason. */
  async serve(asked: AskedLine): Promise<void> {
    try {
      await this.#open(asked)
    } catch (error) {
      if (error instanceof Closed) return this.#close(error.code, error.reason)
      this.#deps.logger.error({ err: error }, 'portLine.failed')
      this.#close(lineClose.away, 'platform')
    }
  }

  cut(reason: contract.VisitEndReason): void {
    if (this.#isOver) return
    // The platform itself cannot decide: both ends keep the stream, and the program comes back.
    const isUndecided = reason === 'platform'
    if (!isUndecided) this.#tellOver()
    this.#close(isUndecided ? lineClose.away : lineClose.notAllowed, reason)
  }

  warn(reason: 'idle' | 'timeUp', at: number): void {
    const text = JSON.stringify({ warn: { reason, at } })
    if (this.#isOpen) this.#send(text)
    else this.#warnings.push(text)
  }

  replace(): void {
    this.#close(lineClose.gone, 'replaced')
  }

  async #open(asked: AskedLine): Promise<void> {
    const query = parseLineQuery(asked.query)
    if (!query) throw new Closed(lineClose.wrong, 'query')
    const { visit, mode } = await this.#enter(asked.authorization)
    const { tunnel, port } = await this.#findPort(visit, query.port)
    if (mode === 'ro') checkLook(visit, port)
    if (this.#isOver) return
    const { streams } = this.#deps
    const kept = streams.begin(visit.visitId, query.stream, this, !query.resume)
    if (!kept) throw new Closed(lineClose.tooMany, 'streams')
    this.#forget = () => streams.end(visit.visitId, query.stream, this)
    this.#hold = visit.hold(this, mode)
    if (this.#isOver) return
    const hold = this.#hold
    if (!hold) throw new Closed(lineClose.tooMany, 'streams')
    const stream = await openStream(tunnel, headersOf(visit, port, mode, query))
    this.#stream = stream
    // Cut meanwhile: the agent opens nothing for it.
    if (this.#isOver) return resetStream(stream, 'the line ended')
    const from = await answerOf(stream)
    if (!hold.mayPass() && !(await hold.whenMayPass())) return this.cut('platform')
    if (this.#isOver) return
    if (!query.resume) visit.countPort({ name: port.name, kind: port.kind, streams: 1 })
    this.#isOpen = true
    this.#send(JSON.stringify({ open: { from, mode } }))
    for (const text of this.#warnings.splice(0)) this.#send(text)
    this.#pass(stream, hold, { visit, port, kept })
    this.#renewTickets(visit, mode)
    this.#watchProgram()
  }

  /** The visit that the line's ticket is for, and the mode that the line gets. */
  async #enter(authorization: string | undefined) {
    const { portVisits, now } = this.#deps
    const ticket = /^Bearer ([\w-]+)$/.exec(authorization ?? '')?.[1] ?? ''
    const found = await portVisits.enter(ticket, now())
    if (found === 'unknown') throw new Closed(lineClose.ticket, 'ticket')
    if (found === 'blind') throw new Closed(lineClose.away, 'platform')
    if ('ended' in found) throw new Closed(lineClose.notAllowed, found.ended)
    // Its visit lost control: a tool that writes does not go on as one that looks.
    if (found.mode === 'rw' && found.visit.mode === 'ro') throw new Closed(lineClose.notAllowed, 'replaced')
    return found
  }

  async #findPort(visit: OpenVisit, name: string): Promise<{ tunnel: TunnelLine; port: AgentPort }> {
    const tunnel = await this.#deps.link.tunnel(visit.machineId).catch(() => undefined)
    const ports = await tunnel?.ports().catch(() => undefined)
    if (!tunnel || !ports) throw new Closed(lineClose.away, 'machine')
    const port = ports.find((one) => one.name === name)
    if (!port) throw new Closed(lineClose.unknownPort, 'port')
    return { tunnel, port }
  }

  #pass(
    stream: ClientHttp2Stream,
    hold: VisitHold,
    of: { visit: OpenVisit; port: AgentPort; kept: PortStream },
  ): void {
    const { visit, port, kept } = of
    const about = { name: port.name, kind: port.kind }
    const { visitId, machineId } = visit
    const where = { visitId, machineId, port: port.name }
    const keepWrites = (writes: readonly PortWrite[]) => this.#deps.portWrites.keep(where, writes)
    const sink = new FrameSink(this.#ws, (frame) => {
      if (this.#isOver) return
      if (frame.kind === 'data') {
        hold.received(frame.bytes.length)
        hold.active()
        visit.countPort({ ...about, bytesOut: frame.bytes.length })
      } else if (frame.kind === 'counts') visit.countPort({ ...about, ...kept.addedBy(frame.counts) })
      if (frame.kind === 'writes') return keepWrites(frame.writes)
      if (frame.kind !== 'over') this.#send(formatMessage(frame))
      else if (frame.reason === undefined) this.#close(lineClose.over, 'over')
      else this.#close(lineClose.notAllowed, frame.reason)
    })
    sink.on('error', () => this.#close(lineClose.away, 'agent'))
    this.#ws.on('message', (data: Buffer, isBinary: boolean) => {
      this.#heardAt = performance.now()
      if (this.#isOver || this.#isClosing) return
      if (isBinary && isWrongLength(data)) return this.#refuse('length')
      const frame: PortFrame | undefined = isBinary
        ? { kind: 'data', bytes: data }
        : parseText(data.toString('utf8'))
      if (!frame) return this.#refuse('text')
      if (isBinary) {
        hold.sent(data.length)
        hold.active()
        visit.countPort({ ...about, bytesIn: data.length })
      }
      this.#source.add(frame)
      if (frame.kind !== 'over') return
      this.#isClosing = true
      this.#source.finish()
      this.#ws.close(lineClose.over)
    })
    const refused = () => this.cut('platform')
    const passed = () => undefined
    const lostAgent = () => this.#close(lineClose.away, 'machine')
    const up = relay(this.#source, stream, { hold, passed, ended: () => stream.end(), refused })
    const down = relay(stream, sink, { hold, passed, ended: () => sink.end(lostAgent), refused })
    this.#relays.push(up, down)
    stream.once('close', () => {
      if (!down.isEnding && !sink.writableEnded) lostAgent()
    })
    // It may have gone while rights were read.
    if (stream.destroyed) lostAgent()
  }

  /** A program that sends something wrong has no stream that could go on. */
  #refuse(reason: string): void {
    this.#tellOver()
    this.#close(lineClose.wrong, reason)
  }

  #renewTickets(visit: OpenVisit, mode: contract.VisitMode): void {
    const { portVisits, logger, now } = this.#deps
    const renew = async () => {
      const ticket = await portVisits.createTicket(visit.visitId, mode, now())
      this.#send(JSON.stringify({ ticket }))
    }
    this.#timers.push(every(ticketMs, renew, logger))
    // The one that opened it is used up.
    renew().catch((error) => logger.warn({ err: error, visit: visit.visitId }, 'portLine.ticketFailed'))
  }

  #watchProgram(): void {
    const ws = this.#ws
    const heard = () => {
      this.#heardAt = performance.now()
    }
    ws.on('pong', heard)
    ws.on('ping', heard)
    heard()
    const look = () => {
      // Nothing is read from a program while the machine does not take what it sent.
      if (ws.isPaused) heard()
      if (performance.now() - this.#heardAt > portLimits.silentMs) ws.terminate()
      else if (ws.readyState === ws.OPEN) ws.ping()
    }
    this.#timers.push(every(portLimits.pingMs, look, this.#deps.logger))
  }

  #send(message: Buffer | string): void {
    if (!this.#isOver && this.#ws.readyState === this.#ws.OPEN) this.#ws.send(message)
  }

  /** Tells the agent that the stream is over, unless other bytes would reach it before. */
  #tellOver(): void {
    const stream = this.#stream
    if (!stream || stream.destroyed || stream.writableEnded || stream.writableLength > 0) return
    for (const part of encodePortFrame({ kind: 'over' })) stream.write(part)
    stream.end()
  }

  #close(code: number, reason: string): void {
    if (this.#isOver) return
    this.#end()
    const ws = this.#ws
    ws.resume()
    ws.close(code, reason)
    setTimeout(() => ws.terminate(), lingerMs).unref()
  }

  /** The program left, or its line broke: its stream goes on over another one. */
  #lostProgram(): void {
    if (!this.#isOver) this.#end()
  }

  /** Nothing passes any more. */
  #end(): void {
    this.#isOver = true
    const stream = this.#stream
    if (!this.#isClosing) for (const one of this.#relays) one.drop()
    for (const timer of this.#timers) clearInterval(timer)
    this.#hold?.release()
    this.#forget()
    if (!stream || stream.closed) return
    if (!stream.writableEnded && !this.#isClosing) {
      resetStream(stream, 'the line ended')
      return
    }
    const timer = setTimeout(() => {
      if (!stream.closed) resetStream(stream, 'the stream is over')
    }, lingerMs)
    stream.once('close', () => clearTimeout(timer))
  }
}

/** @throws Closed where the visit may not look at the port */
function checkLook({ reach }: OpenVisit, port: AgentPort): void {
  if (reach !== undefined && mayLookAt(port, reach)) return
  const isForUsers = isUnderstood(port.kind) && port.look === 'users'
  throw new Closed(lineClose.notAllowed, isForUsers ? 'notAllowed' : 'lookOnly')
}

function headersOf(
  { visitId, userName, until, reach }: OpenVisit,
  { name }: AgentPort,
  mode: contract.VisitMode,
  { stream, from, resume }: LineQuery,
): OutgoingHttpHeaders {
  return {
    ':method': 'CONNECT',
    ':authority': name,
    ...visitHeaders({ visitId, userName, until, mode }),
    [portHeader.stream]: stream,
    [portHeader.from]: String(from),
    [portHeader.reach]: reach,
    ...(resume ? { [portHeader.resume]: '1' } : {}),
  }
}

/** @throws Closed where the tunnel takes none */
async function openStream(tunnel: TunnelLine, headers: OutgoingHttpHeaders): Promise<ClientHttp2Stream> {
  const stream = await tunnel
    .openStream(headers, { endStream: false, purpose: 'visit' })
    .catch(() => 'gone' as const)
  if (typeof stream === 'string') throw new Closed(lineClose.away, 'machine')
  return stream
}

/** The position that the agent wants bytes from. @throws Closed where it opens no stream */
async function answerOf(stream: ClientHttp2Stream): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<IncomingHttpHeaders | undefined>()
  stream.once('response', resolve)
  stream.once('close', () => resolve(undefined))
  const timer = setTimeout(() => resolve(undefined), openMsMax)
  const headers = await promise
  clearTimeout(timer)
  const status = Number(headers?.[':status'] ?? 0)
  const from = Number(headers?.[portHeader.from])
  if (status === 200 && Number.isSafeInteger(from) && from >= 0) return from
  const [code, reason] = closeByStatus[status] ?? [lineClose.away, 'machine']
  throw new Closed(code, reason)
}
