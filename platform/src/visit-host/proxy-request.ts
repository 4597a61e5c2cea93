import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { elsewhereHeader, resetStream } from '@busbar/link'
import type { OpenedStream, TunnelLine } from '../edge-link/edge-link.ts'
import { NotReachable } from '../edge-link/not-reachable.ts'
import type { OpenVisit } from '../modules/visits/index.ts'
import { GatheredWrites } from './gathered-writes.ts'
import type { Refusal } from './refusal.ts'
import { type Relay, relay } from './relay.ts'
import { requestHeaders } from './request-headers.ts'
import { hasBody } from './responses.ts'
import type { VisitRules } from './rules.ts'

/** Time limit of the rest of an upload that the machine has already answered, in ms. */
const restOfUploadMs = 5_000
const keepAliveProbeMs = 60_000
const addressLengthMax = 300

export interface ProxyDeps {
  readonly rules: VisitRules
  readonly https: boolean
  /** The address of a path of another target of the machine. */
  addressOf(target: string, path: string): string
  /** Answers in place of the machine. */
  refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void
}

/**
 * One request to a machine and its answer, both as streams: a slow reader on either end slows the other. It ends with
 * its visit: after `cut` no bytes pass in either direction.
 */
export async function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  visit: OpenVisit,
  tunnel: TunnelLine,
  { rules, https, addressOf, refuse }: ProxyDeps,
): Promise<void> {
  const { socket } = request
  const { mode } = visit
  let stream: ClientHttp2Stream | undefined
  let isCut = false
  const cut = () => {
    isCut = true
    resetSocket(socket)
    if (stream) resetStream(stream, 'the visit was cut')
  }
  const hold = visit.hold({ cut }, mode)
  if (!hold) {
    if (!isCut) refuse(request, response, { status: 503, reason: 'busy' })
    return
  }
  const method = request.method ?? 'GET'
  const brings = hasBody(request)
  let opened: OpenedStream
  try {
    const headers = requestHeaders(
      { method, url: request.url ?? '/' },
      rules.stripRequestHeaders(request.rawHeaders, { mode, https }),
      visit,
    )
    opened = await tunnel.openStream(headers, { endStream: !brings, purpose: 'visit' })
  } catch (error) {
    hold.release()
    if (isCut) return
    if (error instanceof NotReachable) refuse(request, response, { status: 503, reason: 'unreachable' })
    else refuse(request, response, { status: 400, reason: 'badRequest' })
    return
  }
  if (typeof opened === 'string') {
    hold.release()
    if (!isCut) refuse(request, response, { status: 503, reason: opened === 'busy' ? 'busy' : 'offline' })
    return
  }
  if (isCut || socket.destroyed) {
    hold.release()
    resetStream(opened, 'the visitor is gone')
    return
  }
  stream = opened
  socket.setTimeout(0)
  socket.setKeepAlive(true, keepAliveProbeMs)
  if (method !== 'GET') hold.active()
  if (brings) {
    if (request.headers.expect) response.writeContinue()
  }

  const answered = opened
  const upload = brings
    ? relay(request, answered, {
        hold,
        passed(piece) {
          hold.sent(piece.length)
          hold.active()
        },
        ended: () => answered.end(),
        refused: cut,
      })
    : undefined
  let download: Relay | undefined
  answered.once('response', (headers) => {
    const expected = bodyBytesOf(method, headers)
    let received = 0
    const gathered = new GatheredWrites(response)
    const begin = () => {
      if (isCut || response.headersSent) return
      const elsewhere = originOf(headers[elsewhereHeader])
      if (elsewhere !== undefined) {
        resetStream(answered, 'it leads to an address that no target has')
        return refuse(request, response, { status: 404, reason: 'elsewhere', address: elsewhere })
      }
      try {
        // Head and first bytes of the body mostly come together.
        gathered.add(0)
        response.writeHead(
          statusOf(headers),
          rules.responseHeaders(headers, {
            narrow: (cookie) => narrowCookie(cookie, visit, { rules, https }),
            addressOf,
            framedBy: rules.framedBy(visit),
          }),
        )
        // As the device's bytes: Node's `flushHeaders` would send them as UTF-8.
        response.write('', 'latin1')
      } catch {
        resetStream(answered, 'its answer cannot be passed on')
        refuse(request, response, { status: 502, reason: 'badGateway' })
      }
    }
    download = relay(answered, response, {
      hold,
      passed(piece) {
        begin()
        received += piece.length
        hold.received(piece.length)
      },
      ended() {
        begin()
        if (
          answered.rstCode !== constants.NGHTTP2_NO_ERROR ||
          (expected !== undefined && received !== expected)
        )
          return cut()
        if (upload && !request.complete) dropRest(request, upload)
        response.end()
      },
      refused: cut,
    })
    // The headers of the answer are data of the machine as well.
    if (hold.mayPass()) begin()
    else void hold.whenMayPass().then((mayPass) => (mayPass ? begin() : cut()), cut)
  })
  answered.once('close', () => {
    if (isCut || download?.isEnding) return
    if (!response.headersSent) {
      const reason = tunnel.isOpen ? 'badGateway' : 'offline'
      refuse(request, response, { status: reason === 'offline' ? 503 : 502, reason })
    } else if (!response.writableEnded) cut()
  })
  response.once('close', () => {
    hold.release()
    // One that has ended both ways closes by itself.
    const isOver = answered.readableEnded && answered.writableFinished
    if (!answered.closed && !isOver) resetStream(answered, 'the visitor is gone')
  })
}

/** A machine's Set-Cookie as the browser gets it; undefined for one that it does not get. */
export function narrowCookie(
  cookie: string,
  { embedding }: Pick<OpenVisit, 'embedding'>,
  { rules, https }: Pick<ProxyDeps, 'rules' | 'https'>,
): string | undefined {
  const kept = rules.narrowSetCookie(cookie, https)
  return kept === undefined || embedding === undefined ? kept : rules.partitionCookie(kept)
}

/** Ends a connection without sending the bytes that wait in the kernel. */
export function resetSocket(socket: Socket): void {
  if (socket.destroyed) return
  // A TLS connection cannot be reset by itself.
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** The address that an agent reports, if it is one. */
function originOf(told: string | string[] | undefined): string | undefined {
  const url = typeof told === 'string' && told.length <= addressLengthMax ? URL.parse(told) : null
  return url !== null && url.origin === told && /^https?:$/.test(url.protocol) ? told : undefined
}

function statusOf(headers: IncomingHttpHeaders): number {
  const status = Number(headers[':status'])
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error('not a status')
  return status
}

/** The bytes an answer's body must have; undefined if it ends when it ends. */
function bodyBytesOf(method: string, headers: IncomingHttpHeaders): number | undefined {
  const status = Number(headers[':status'])
  if (method === 'HEAD' || status === 204 || status === 304) return undefined
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** The machine has answered before the end of the upload, and does not want the rest. */
function dropRest(request: IncomingMessage, upload: Relay): void {
  upload.drop()
  const timer = setTimeout(() => request.socket.destroy(), restOfUploadMs)
  request.once('close', () => clearTimeout(timer))
}
