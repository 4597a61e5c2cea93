import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import {
  TunnelStream,
  TunnelWindows,
  tunnelClose,
  tunnelLimits,
  tunnelProtocol,
  tunnelSessionOptions,
  tunnelSettings,
} from '@busbar/link'
import { WebSocket } from 'ws'
import { Backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { errorReason } from '../log.ts'
import type { Route } from './router.ts'
import { createPlatformClock } from './visitor.ts'

const reconnectFirstMs = 1_000
const reconnectMostMs = 30_000
/** A wrong secret does not get right by asking often; and two agents with one code must not chase each other. */
const refusedReconnectMs = 60_000
const connectMsMax = 10_000

export interface TunnelOptions {
  /** ws or wss, with the path. */
  url: string
  code: string
  secret: string
  route: Route
  clock: Clock
  log: Log
  /** 0 to 1, for the jitter. */
  random: () => number
}

/** The agent's end of the tunnel. */
export interface AgentTunnel {
  /** Ends it with everything that is open in it. */
  stop(): void
}

/** Dials the platform and stays connected until `stop`. */
export function startTunnel(options: TunnelOptions): AgentTunnel {
  const { clock, log } = options
  const backoff = new Backoff(reconnectFirstMs, reconnectMostMs)
  let stopping = false
  let cancelReconnect = (): void => undefined
  let close = (): void => undefined

  function open(): void {
    close = dial(options, {
      onOpen() {
        backoff.reset()
        log('info', 'tunnel.open')
      },
      onClose(reason, refused) {
        if (stopping) return
        const pauseMs = refused ? refusedReconnectMs : backoff.nextMs()
        // Half of the pause is drawn: after an outage of the cloud its machines do not all come back at once.
        const delayMs = Math.round(pauseMs * (0.5 + options.random() / 2))
        log('warn', refused ? 'tunnel.refused' : 'tunnel.closed', { reason, retryInMs: delayMs })
        cancelReconnect = clock.after(delayMs, open)
      },
    })
  }

  open()
  return {
    stop() {
      stopping = true
      cancelReconnect()
      close()
    },
  }
}

interface DialEvents {
  /** The platform speaks HTTP/2. */
  onOpen(): void
  /** Once, last. `refused` when another try soon would be in vain. */
  onClose(reason: string, refused: boolean): void
}

/** One connection, from the dialling to its end. The answer ends it. */
function dial({ url, code, secret, route, clock }: TunnelOptions, events: DialEvents): () => void {
  const ws = new WebSocket(url, tunnelProtocol, {
    auth: `${code}:${secret}`,
    perMessageDeflate: false,
    handshakeTimeout: connectMsMax,
    maxPayload: tunnelLimits.messageBytesMax,
    ...(needsMask(url) ? {} : { generateMask: (mask: Buffer) => void mask.fill(0) }),
  })
  let date: string | undefined
  let reason = 'connection closed'
  let closed = false
  const ended = (why: string, refused: boolean): void => {
    if (closed) return
    closed = true
    events.onClose(why, refused)
  }
  ws.on('unexpected-response', (request, response) => {
    ended(`HTTP ${response.statusCode}`, response.statusCode === 401)
    request.destroy()
  })
  ws.on('upgrade', (response) => {
    date = response.headers.date
  })
  ws.on('error', (error) => {
    reason = errorReason(error)
  })
  ws.on('close', (closeCode) =>
    ended(closeCode === tunnelClose.replaced ? 'replaced' : reason, closeCode === tunnelClose.replaced),
  )
  ws.on('open', () => {
    const platformClock = createPlatformClock(date, clock)
    serve(ws, (stream, headers) => route(stream, headers, platformClock), clock, events.onOpen)
  })
  return () => ws.close(1001)
}

/**
 * A mask keeps proxies on the way from taking payload for requests (RFC 6455, 10.3), and costs as much as all else that
 * is done with a byte here. It is all zeros, and so none, where nobody is on the way or TLS hides the payload.
 */
export function needsMask(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol !== 'wss:' && hostname !== 'localhost' && !/^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Speaks HTTP/2 on a WebSocket, being the server. */
function serve(
  ws: WebSocket,
  route: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  clock: Clock,
  onOpen: () => void,
): void {
  let windows: TunnelWindows | undefined
  let wasHeard = true
  const bytes = new TunnelStream(ws, (count) => {
    wasHeard = true
    windows?.received(count)
  })
  const server = createServer({
    ...tunnelSessionOptions,
    settings: { ...tunnelSettings, enableConnectProtocol: true },
  })
  server.on('session', (session) => {
    windows = new TunnelWindows(session, () => clock.monotonic())
    session.on('error', () => bytes.destroy())
    session.once('close', () => bytes.destroy())
    // With an error: what is open in it is broken off, not ended.
    bytes.once('close', () => session.destroy(new Error('the tunnel is gone')))
    session.once('remoteSettings', onOpen)
  })
  server.on('sessionError', () => bytes.destroy())
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    // Without a listener an error of a stream would end the process.
    stream.on('error', () => undefined)
    windows?.add(stream)
    route(stream, headers)
  })
  server.emit('connection', bytes)

  let cancel = (): void => undefined
  const watch = (): void => {
    cancel = clock.after(tunnelLimits.pingIntervalMs, () => {
      if (!wasHeard) return ws.terminate()
      wasHeard = false
      ws.ping()
      watch()
    })
  }
  watch()
  ws.once('close', () => cancel())
}
