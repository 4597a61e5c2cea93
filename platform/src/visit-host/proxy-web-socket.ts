import { createHash } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { resetStream } from '@busbar/link'
import type { OpenedStream, TunnelLine } from '../edge-link/edge-link.ts'
import { NotReachable } from '../edge-link/not-reachable.ts'
import { refuse } from '../kernel/http/web-port.ts'
import type { OpenVisit } from '../modules/visits/index.ts'
import { narrowCookie, resetSocket } from './proxy-request.ts'
import { type Relay, relay } from './relay.ts'
import { socketHeaders } from './request-headers.ts'
import type { VisitRules } from './rules.ts'

/** RFC 6455, section 1.3. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const keyPattern = /^[+/0-9A-Za-z]{22}==$/
/** A peer that does not close after its partner did is closed: a WebSocket is never half open. */
const lingerMs = 5_000
const keepAliveProbeMs = 60_000
/** The headers that a machine may set in the handshake. */
const handshakeHeaders = ['sec-websocket-protocol', 'sec-websocket-extensions', 'set-cookie']

/** Whether an upgrade is a WebSocket's; no other protocol is switched to. */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    keyPattern.test(headers['sec-websocket-key'] ?? '')
  )
}

/** A WebSocket of a machine's page: its bytes pass unread both ways (RFC 8441), until its visit ends. */
export async function proxyWebSocket(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  visit: OpenVisit,
  tunnel: TunnelLine,
  { rules, https }: { rules: VisitRules; https: boolean },
): Promise<void> {
  let stream: ClientHttp2Stream | undefined
  let isCut = false
  const cut = () => {
    isCut = true
    resetSocket(socket)
    if (stream) resetStream(stream, 'the visit was cut')
  }
  const hold = visit.hold({ cut }, visit.mode)
  if (!hold) {
    if (!isCut) refuse(socket, '503 Service Unavailable')
    return
  }
  let line: OpenedStream
  try {
    const stripped = rules.stripRequestHeaders(request.rawHeaders, { mode: visit.mode, https })
    line = await tunnel.openStream(socketHeaders(request.url ?? '/', stripped, visit), {
      endStream: false,
      purpose: 'visit',
    })
  } catch (error) {
    hold.release()
    if (!isCut) refuse(socket, error instanceof NotReachable ? '503 Service Unavailable' : '400 Bad Request')
    return
  }
  if (typeof line === 'string') {
    hold.release()
    if (!isCut) refuse(socket, '503 Service Unavailable')
    return
  }
  if (isCut || socket.destroyed) {
    hold.release()
    resetStream(line, 'the visitor is gone')
    return
  }
  const opened = line
  stream = opened
  let isOpen = false
  let download: Relay | undefined
  socket.setTimeout(0)
  socket.setKeepAlive(true, keepAliveProbeMs)
  opened.once('response', async (headers) => {
    if (!hold.mayPass() && !(await hold.whenMayPass())) return cut()
    if (isCut || socket.destroyed || socket.writableEnded) return
    if (headers[':status'] !== 200) {
      resetStream(opened, 'it opened no WebSocket')
      return refuse(socket, statusLine(headers))
    }
    isOpen = true
    const allowed = rules.responseHeaders(headers, {
      narrow: (cookie) => narrowCookie(cookie, visit, { rules, https }),
      addressOf: (_, path) => path,
      framedBy: [],
    })
    socket.write(formatHandshake(request.headers['sec-websocket-key'] ?? '', allowed), 'latin1')
    const sent = (chunk: Buffer) => {
      hold.sent(chunk.length)
      hold.active()
    }
    if (head.length) {
      sent(head)
      opened.write(head)
    }
    relay(socket, opened, { hold, passed: sent, ended: () => opened.end(), refused: cut })
    download = relay(opened, socket, {
      hold,
      passed: (piece) => hold.received(piece.length),
      ended: () => socket.end(),
      refused: cut,
    })
  })
  const linger = () => {
    const timer = setTimeout(cut, lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
  socket.once('end', linger)
  opened.once('close', () => {
    if (isCut || socket.destroyed) return
    if (!isOpen && !socket.writableEnded) return refuse(socket, '502 Bad Gateway')
    if (download?.isEnding) return
    if (!socket.writableEnded) return cut()
    linger()
  })
  socket.once('close', () => {
    hold.release()
    if (!opened.closed) resetStream(opened, 'the visitor is gone')
  })
}

function formatHandshake(key: string, headers: Record<string, string | string[]>): string {
  const accept = createHash('sha1')
    .update(key + acceptSuffix)
    .digest('base64')
  const told = handshakeHeaders.flatMap((name) =>
    [headers[name] ?? []]
      .flat()
      .filter((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      .map((value) => `${name}: ${value}\r\n`),
  )
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n${told.join('')}\r\n`
}

function statusLine(headers: IncomingHttpHeaders): string {
  const status = Number(headers[':status'])
  const name = STATUS_CODES[status]
  return name && status >= 300 ? `${status} ${name}` : '502 Bad Gateway'
}
