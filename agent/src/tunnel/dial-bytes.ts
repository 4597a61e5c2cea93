import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { request as requestTls } from 'node:https'
import type { Socket } from 'node:net'
import {
  TunnelWindows,
  tunnelClose,
  tunnelLimits,
  tunnelSessionOptions,
  tunnelSettings,
  tunnelUpgrade,
} from '@busbar/link'
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
import { createPlatformClock, type PlatformClock } from './visitor.ts'

/**
 * Whether plain bytes may be tried. They are not masked: on a line that others can read, a proxy that does
 * not know the Upgrade could take what a visitor or a device wrote for requests of the agent (RFC 6455,
 * 10.3).
 */
export function mayDialBytes(url: string): boolean {
  // Node before 20.12 lacks the call.
  return isHidden(url) && typeof performServerHandshake === 'function'
}

/**
 * HTTP/2 itself on the socket, after an Upgrade. Node's HTTP/2 takes the socket's own handle: no byte passes through
 * JavaScript between the network and a stream.
 */
export function dialBytes({ url, code, secret, route, clock }: DialOptions, events: DialEvents): Line {
  let windows: TunnelWindows | undefined
  let closed = false
  let isConnected = false
  let close = (): void => void asked.destroy()
  const ended = (end: LineEnd): void => {
    if (closed) return
    closed = true
    cancelLate()
    events.onClose(end)
  }
  const asked = ask(url, `${code}:${secret}`)
  const late = (): void => {
    // An unreachable peer says nothing about the proxies on the way.
    ended({ reason: `no tunnel within ${connectMsMax} ms`, kind: isConnected ? 'blocked' : 'lost' })
    close()
  }
  const cancelLate = clock.after(connectMsMax, late)
  asked.once('socket', (socket) => {
    socket.once(url.startsWith('wss:') ? 'secureConnect' : 'connect', () => {
      isConnected = true
    })
  })
  asked.on('error', (error) => ended({ reason: errorReason(error), kind: isConnected ? 'blocked' : 'lost' }))
  asked.once('response', (response) => {
    ended(endOf(response.statusCode ?? 0))
    asked.destroy()
  })
  asked.once('upgrade', (response, socket: Socket, head) => {
    if (closed || response.headers.upgrade?.toLowerCase() !== tunnelUpgrade) {
      ended({ reason: 'another Upgrade', kind: 'blocked' })
      return void socket.destroy()
    }
    // The platform's first bytes may have come with its answer.
    if (head.length > 0) socket.unshift(head)
    const platformClock = createPlatformClock(response.headers.date, clock)
    const served = serve(socket, route, platformClock, clock, {
      onOpen() {
        cancelLate()
        events.onOpen()
      },
      onClose: ended,
    })
    windows = served.windows
    close = served.close
  })
  asked.end()
  return {
    get streamCount() {
      return windows?.streamCount ?? 0
    },
    close: () => close(),
  }
}

function ask(url: string, auth: string) {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const options: RequestOptions = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: `${pathname}${search}`,
    auth,
    // Its own connection, which no agent of Node keeps.
    agent: false,
    headers: { connection: 'Upgrade', upgrade: tunnelUpgrade },
  }
  return protocol === 'wss:' ? requestTls(options) : request(options)
}

function endOf(status: number): LineEnd {
  const reason = `HTTP ${status}`
  if (status === 401) return { reason, kind: 'refused' }
  return { reason, kind: status === 429 || status >= 500 ? 'busy' : 'blocked' }
}

/** Speaks HTTP/2 on a socket, being the server. */
function serve(
  socket: Socket,
  route: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, platformClock: PlatformClock) => void,
  platformClock: PlatformClock,
  clock: Clock,
  { onOpen, onClose }: DialEvents,
): { windows: TunnelWindows; close(): void } {
  socket.setNoDelay(true)
  socket.setKeepAlive(true, tunnelLimits.pingIntervalMs)
  const session: ServerHttp2Session = performServerHandshake(socket, {
    ...tunnelSessionOptions,
    settings: { ...tunnelSettings, enableConnectProtocol: true },
  })
  const windows = new TunnelWindows(
    session,
    () => clock.monotonic(),
    () => socket.bytesRead,
  )
  let isOpen = false
  let goaway = 0
  let reason = 'connection closed'
  session.on('error', (error) => {
    reason = errorReason(error)
  })
  session.once('goaway', (code) => {
    goaway = code
  })
  socket.on('error', (error) => {
    reason = errorReason(error)
  })
  socket.once('close', () => {
    cancel()
    // With an error, so that open streams are reset, not ended.
    session.destroy(new Error('the tunnel is gone'))
    if (goaway === tunnelClose.replaced) onClose(replaced)
    else onClose({ reason, kind: isOpen ? 'lost' : 'blocked' })
  })
  session.once('close', () => socket.destroy())
  session.once('remoteSettings', () => {
    isOpen = true
    onOpen()
  })
  session.on('stream', (stream, headers) => {
    // Without a listener an error of a stream would end the process.
    stream.on('error', () => undefined)
    windows.add(stream)
    route(stream as ServerHttp2Stream, headers, platformClock)
  })

  let heardBytes = socket.bytesRead
  let cancel = (): void => undefined
  let isAsked = false
  const watch = (): void => {
    cancel = clock.after(tunnelLimits.pingIntervalMs, () => {
      const wasHeard = socket.bytesRead !== heardBytes
      if (isAsked && !wasHeard) return void socket.destroy()
      heardBytes = socket.bytesRead
      isAsked = true
      session.ping(() => undefined)
      watch()
    })
  }
  watch()
  return { windows, close: () => session.destroy() }
}
