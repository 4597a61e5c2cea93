import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import {
  type AgentPort,
  isStreamId,
  isUnderstood,
  type PortWrite,
  portHeader,
  portLimits,
} from '@busbar/link'
import type { Clock } from '../../clock.ts'
import type { PortConfig } from '../../config/config.ts'
import { errorReason, type Log } from '../../log.ts'
import { answerText } from '../answer-text.ts'
import { answerUnreachable } from '../http-proxy.ts'
import type { Visitor } from '../page-handler.ts'
import { openSocket } from '../target.ts'
import { PortStream } from './port-stream.ts'

/** Of all visits: each may hold two windows of bytes. */
const streamsMax = 64

/** The variable of the agent's file at a place of the controller behind a port. */
export type PortTagAt = (port: PortConfig, unit: number | null, place: string) => PortWrite['tag']

/** The machine's TCP ports, and the connections to them. */
export class Ports {
  readonly #configs: readonly PortConfig[]
  readonly #clock: Clock
  readonly #log: Log
  readonly #tagAt: PortTagAt
  readonly #roundTripsMs = new Map<string, number>()
  /** By visit and id. */
  readonly #streams = new Map<string, KeptStream>()
  #isStopped = false

  constructor(configs: readonly PortConfig[], clock: Clock, log: Log, tagAt: PortTagAt) {
    this.#configs = configs
    this.#clock = clock
    this.#log = log
    this.#tagAt = tagAt
  }

  list(): AgentPort[] {
    return this.#configs.map(({ name, kind, note, look, connections }) => ({
      ...{ name, kind, note, look, connections },
      roundTripMs: this.#roundTripsMs.get(name) ?? null,
    }))
  }

  /** Answers a CONNECT: opens a port, or goes on with a stream. The visit ends in `leftMs`. */
  connect(http2: ServerHttp2Stream, headers: IncomingHttpHeaders, visitor: Visitor, leftMs: number): void {
    this.#connect(http2, headers, visitor, leftMs).catch((error: unknown) => {
      this.#log('error', 'port.failed', { reason: errorReason(error) })
      answerText(http2, 500, 'The agent failed.')
    })
  }

  async #connect(
    http2: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    visitor: Visitor,
    leftMs: number,
  ): Promise<void> {
    const endAt = this.#clock.monotonic() + leftMs
    const port = this.#configs.find(({ name }) => name === headers[':authority'])
    if (port === undefined) return answerText(http2, 404, this.#listText())
    if (visitor.mode === 'ro' && !mayLook(port, headers))
      return answerText(
        http2,
        403,
        `This visit is view-only, and ${port.name} cannot be only looked at by it.`,
      )
    const asked = parseStream(headers)
    if (asked === null) return answerText(http2, 400, 'These are no headers of a stream.')
    const key = `${visitor.visit} ${asked.stream}`
    let kept = this.#streams.get(key)
    if (kept === undefined) {
      if (asked.isResumed) return answerText(http2, 410, 'The stream is not kept any more.')
      const tooMany = this.#tooMany(port, visitor)
      if (tooMany !== null) return answerText(http2, 409, tooMany)
      kept = this.#open(key, port, visitor)
    }
    if (kept.port !== port || kept.mode !== visitor.mode)
      return answerText(http2, 410, 'The stream is of another port, or of another mode.')
    let stream: PortStream
    try {
      stream = await kept.opened
    } catch (error) {
      return answerUnreachable(http2, error as Error)
    }
    // A program that went away meanwhile may come back for it.
    if (http2.destroyed || http2.closed) return
    const isLive = this.#streams.get(key) === kept
    if (!isLive || !stream.attach(http2, asked.from, endAt - this.#clock.monotonic()))
      answerText(http2, 410, 'The stream cannot go on from there.')
  }

  /** Ends all streams with their connections. */
  stop(): void {
    this.#isStopped = true
    for (const { opened } of this.#streams.values())
      opened.then(
        (stream) => stream.end('stopped'),
        () => undefined,
      )
  }

  #listText(): string {
    const names = this.#configs.map(({ name }) => name).join(', ')
    return `There is no such port. The agent's file lists: ${names === '' ? 'none' : names}.`
  }

  #tooMany(port: PortConfig, { visit }: Visitor): string | null {
    const kept = [...this.#streams.values()]
    if (kept.filter((stream) => stream.visit === visit).length >= portLimits.streamsMax)
      return `This visit has ${portLimits.streamsMax} streams already.`
    if (kept.length >= streamsMax) return `The agent has ${streamsMax} streams already.`
    // Those without a line hold their connection too.
    const connections = kept.filter((stream) => stream.port === port && stream.isConnected).length
    if (connections < port.connections) return null
    return `${port.name} has ${connections} connections already.`
  }

  #open(key: string, port: PortConfig, { visit, mode }: Visitor): KeptStream {
    const kept: KeptStream = { port, mode, visit, isConnected: true, opened: this.#dial(key, port, mode) }
    this.#streams.set(key, kept)
    kept.opened.catch(() => this.#streams.delete(key))
    return kept
  }

  /** Rejects with `TargetUnreachable`. */
  async #dial(key: string, port: PortConfig, mode: Visitor['mode']): Promise<PortStream> {
    const clock = this.#clock
    const startedAt = clock.monotonic()
    this.#roundTripsMs.delete(port.name)
    // A device may answer after its visitor has sent everything.
    const socket = await openSocket({ host: port.host, port: port.port, allowHalfOpen: true })
    this.#roundTripsMs.set(port.name, Math.round(10 * (clock.monotonic() - startedAt)) / 10)
    this.#log('info', 'port.opened', { port: port.name, mode })
    const stream = new PortStream({
      ...{ port, mode, socket, clock },
      tagAt: (unit, place) => this.#tagAt(port, unit, place),
      onDone: () => {
        const kept = this.#streams.get(key)
        if (kept !== undefined) kept.isConnected = false
      },
      onEnd: (why) => {
        this.#streams.delete(key)
        this.#log('info', 'port.closed', { port: port.name, why })
      },
    })
    if (this.#isStopped) stream.end('stopped')
    return stream
  }
}

interface KeptStream {
  readonly port: PortConfig
  readonly mode: Visitor['mode']
  readonly visit: string
  /** It holds a connection to its port. */
  isConnected: boolean
  readonly opened: Promise<PortStream>
}

/** Whether a visit that may only look may look at this port. */
function mayLook({ kind, look }: PortConfig, headers: IncomingHttpHeaders): boolean {
  if (!isUnderstood(kind) || look === 'nobody') return false
  return look === 'visitors' || headers[portHeader.reach] === 'user'
}

interface StreamRequest {
  readonly stream: string
  readonly from: number
  readonly isResumed: boolean
}

function parseStream(headers: IncomingHttpHeaders): StreamRequest | null {
  const { [portHeader.stream]: stream, [portHeader.from]: from, [portHeader.resume]: resume } = headers
  if (typeof stream !== 'string' || !isStreamId(stream)) return null
  if (typeof from !== 'string' || !/^\d{1,15}$/.test(from)) return null
  return { stream, from: Number(from), isResumed: resume === '1' }
}
