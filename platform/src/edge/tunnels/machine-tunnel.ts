import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2'
import {
  type AgentInfo,
  type AgentPort,
  resetStream,
  TunnelWindows,
  tunnelLimits,
  tunnelSessionOptions,
  tunnelSettings,
} from '@busbar/link'
import { askAgentInfo, askAgentPorts } from './agent-info.ts'
import type { Tunnel } from './tunnel.ts'
import type { TunnelCarrier } from './tunnel-carrier.ts'

export interface TunnelMachine {
  readonly machineId: number
  readonly code: string
}

export interface TunnelEvents {
  /** The agent has sent its settings: streams can be opened. */
  ready(): void
  /** Called once, last; with the error, or undefined when one side just ended it. */
  gone(error: Error | undefined): void
}

/** Only the platform opens streams: an agent's pushes are refused. */
const sessionOptions = {
  ...tunnelSessionOptions,
  settings: tunnelSettings,
  maxReservedRemoteStreams: 0,
  peerMaxConcurrentStreams: tunnelLimits.streamsMax,
} as const

/** One machine's tunnel over its connection. */
export class MachineTunnel implements Tunnel {
  readonly machineId: number
  readonly code: string
  readonly openedAt: number
  readonly session: ClientHttp2Session
  readonly carrier: TunnelCarrier
  #windows: TunnelWindows | undefined
  #info: Promise<AgentInfo> | undefined
  #signsBefore: number | undefined

  /** `answerMs`: limit of the time that the agent takes for its settings and its offer. */
  constructor(
    carrier: TunnelCarrier,
    machine: TunnelMachine,
    events: TunnelEvents,
    options: { openedAt: number; answerMs: number },
  ) {
    this.machineId = machine.machineId
    this.code = machine.code
    this.openedAt = options.openedAt
    this.carrier = carrier
    const { bytes } = carrier
    this.session = connect('http://machine', { ...sessionOptions, createConnection: () => bytes })
    const { session } = this
    const late = setTimeout(
      () => session.destroy(new Error('the agent does not speak HTTP/2')),
      options.answerMs,
    )
    let failure: Error | undefined
    session.on('error', (error) => {
      failure = error
    })
    session.once('connect', () => {
      this.#windows = new TunnelWindows(
        session,
        () => performance.now(),
        () => carrier.receivedBytes,
      )
    })
    session.once('remoteSettings', () => {
      clearTimeout(late)
      if (session.destroyed) return
      this.#info = askAgentInfo((headers) => this.request(headers), options.answerMs)
      this.#info.catch(() => undefined)
      events.ready()
    })
    session.on('stream', (stream) => resetStream(stream, 'nobody but the platform opens streams'))
    // With an error: open streams are aborted, not ended.
    bytes.once('close', () => session.destroy(new Error('the line broke')))
    // An agent that takes its leave is gone, whatever it still has open.
    session.once('goaway', () => session.destroy(new Error('the agent took its leave')))
    session.once('close', () => {
      clearTimeout(late)
      bytes.destroy()
      events.gone(failure)
    })
  }

  get streamCount(): number {
    return this.#windows?.streamCount ?? 0
  }

  request(
    headers: OutgoingHttpHeaders,
    options?: ClientSessionRequestOptions,
  ): ClientHttp2Stream | undefined {
    const { session } = this
    if (!this.#windows || session.closed || session.destroyed) return undefined
    const { maxConcurrentStreams = tunnelLimits.streamsMax } = session.remoteSettings
    if (this.streamCount >= Math.min(tunnelLimits.streamsMax, maxConcurrentStreams)) return undefined
    const stream = session.request(headers, options)
    // Without a listener an error of a stream would end the process.
    stream.on('error', () => undefined)
    this.#windows.add(stream)
    return stream
  }

  info(): Promise<AgentInfo> {
    return this.#info ?? Promise.reject(new Error('the tunnel is not open'))
  }

  async portsNow(timeoutMs: number): Promise<readonly AgentPort[]> {
    const { ports = [] } = await this.info()
    // Agents without ports do not know the question.
    return ports.length === 0 ? ports : askAgentPorts((headers) => this.request(headers), timeoutMs)
  }

  ping(timeoutMs: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      this.session.ping((error, durationMs) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve(durationMs)
      })
    })
  }

  /** Sends a ping; false if there was no sign of life since the ping before. */
  check(): boolean {
    const { signs } = this.carrier
    if (signs === this.#signsBefore) return false
    this.#signsBefore = signs
    this.carrier.ping(this.session)
    return true
  }

  /** Ends it with all its streams; the agent gets the code. */
  close(code: number, reason: string): void {
    this.carrier.close(this.session, code, reason)
  }
}
