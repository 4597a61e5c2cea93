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
import type { Clock } from '../clock.ts'
import { errorReason } from '../log.ts'
import {
  connectMsMax,
  type DialEvents,
  type DialOptions,
  isHidden,
  type Line,
  type LineEnd,
  replaced,
} from './line.ts'
import { createPlatformClock } from './visitor.ts'

/** HTTP/2 in the messages of a WebSocket, which every proxy knows. */
export function dialWebSocket({ url, code, secret, route, clock }: DialOptions, events: DialEvents): Line {
  const ws = new WebSocket(url, tunnelProtocol, {
    auth: `${code}:${secret}`,
    perMessageDeflate: false,
    handshakeTimeout: connectMsMax,
    maxPayload: tunnelLimits.messageBytesMax,
    // A mask keeps proxies on the way from taking payload for requests (RFC 6455, 10.3), and costs as much as
    // all else that is done with a byte here. The mask is all zeros, and so without effect, if the line is
    // local or TLS hides the payload.
    ...(isHidden(url) ? { generateMask: (mask: Buffer) => void mask.fill(0) } : {}),
  })
  let date: string | undefined
  let reason = 'connection closed'
  let closed = false
  let windows: (() => TunnelWindows | undefined) | undefined
  const ended = (end: LineEnd): void => {
    if (closed) return
    closed = true
    events.onClose(end)
  }
  ws.on('unexpected-response', (request, response) => {
    ended({ reason: `HTTP ${response.statusCode}`, kind: response.statusCode === 401 ? 'refused' : 'lost' })
    request.destroy()
  })
  ws.on('upgrade', (response) => {
    date = response.headers.date
  })
  ws.on('error', (error) => {
    reason = errorReason(error)
  })
  ws.on('close', (closeCode) =>
    ended(closeCode === tunnelClose.replaced ? replaced : { reason, kind: 'lost' }),
  )
  ws.on('open', () => {
    const platformClock = createPlatformClock(date, clock)
    windows = serve(ws, (stream, headers) => route(stream, headers, platformClock), clock, events.onOpen)
  })
  return {
    get streamCount() {
      return windows?.()?.streamCount ?? 0
    },
    close: () => ws.close(1001),
  }
}

/**
 * Speaks HTTP/2 on a WebSocket, being the server. The answer tells the session's windows, if there is a
 * session.
 */
function serve(
  ws: WebSocket,
  route: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  clock: Clock,
  onOpen: () => void,
): () => TunnelWindows | undefined {
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
    // With an error, so that open streams are reset, not ended.
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
  return () => windows
}
