import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { type AgentInfo, agentPath, portsPath, resetStream, tunnelHeader, tunnelTarget } from '@busbar/link'
import type { Clock } from '../clock.ts'
import { answerText } from './answer-text.ts'
import { proxyRequest } from './http-proxy.ts'
import type { PlatformRoutes } from './json-answers.ts'
import type { PageHandler, Visitor } from './page-handler.ts'
import type { Ports } from './ports/index.ts'
import { servePage } from './serve-page.ts'
import type { Target } from './target.ts'
import { type PlatformClock, parseVisitor } from './visitor.ts'
import { proxyWebSocket } from './web-socket-proxy.ts'

export interface RouterParts {
  version: string
  page: PageHandler
  targets: readonly Target[]
  ports: Ports
  clock: Clock
  /** Null: nothing is configured from the platform. */
  remote?: PlatformRoutes | null
  /** Its state, its log and its searches. */
  service?: PlatformRoutes | null
}

/** Handles a stream of the tunnel. */
export type Route = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  platformClock: PlatformClock,
) => void

/** Methods that change nothing. */
const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Decides by `:authority` who answers. The platform has decided before; a right is checked here too, so that a mistake
 * there does not reach the machine.
 */
export function createRouter(parts: RouterParts): Route {
  const { version, page, targets, ports, clock, remote = null, service = null } = parts
  const byName = new Map(targets.map((target) => [target.name, target]))
  const info = (): AgentInfo => ({
    version,
    targets: [
      { name: tunnelTarget.page, readOnly: true },
      ...targets.map(({ name, isReadOnly }) => ({ name, readOnly: isReadOnly })),
    ],
    ports: ports.list(),
    ...(remote === null ? {} : { remote: ['drivers'] as const }),
  })

  return (stream, headers, platformClock) => {
    const authority = String(headers[':authority'] ?? '')
    // The platform's own requests, never a visitor's.
    if (authority === tunnelTarget.agent) {
      if (headers[tunnelHeader.visit] !== undefined) return answerText(stream, 403, 'There is nothing here.')
      if (service?.(stream, headers, platformClock) || remote?.(stream, headers, platformClock)) return
      const path = headers[':method'] === 'GET' ? headers[':path'] : undefined
      if (path === portsPath) return answerData(stream, { ports: ports.list() })
      if (path === agentPath.info) return answerData(stream, info())
      return answerText(stream, 404, 'There is nothing here.')
    }
    const visitor = parseVisitor(headers)
    const leftMs = visitor === null ? 0 : visitor.until - platformClock()
    if (visitor === null || leftMs <= 0) return answerText(stream, 403, 'This is no visit.')
    const protocol = headers[':protocol']
    // Its streams outlive this one.
    if (headers[':method'] === 'CONNECT' && protocol === undefined) {
      ports.connect(stream, headers, visitor, leftMs)
      return
    }
    endAfter(stream, leftMs, clock)
    const target = byName.get(authority)
    const isPage = authority === tunnelTarget.page
    if (!isPage && target === undefined) return answerText(stream, 421, 'There is no such target.')
    if (!isAllowed(visitor, headers, isPage ? true : target?.isReadOnly === true)) {
      return answerText(stream, 403, 'This visit is view-only.')
    }
    if (protocol !== undefined && (protocol !== 'websocket' || target === undefined)) {
      return answerText(stream, 501, 'There is no such protocol here.')
    }
    if (target === undefined) {
      // The page compares with its own clock.
      return servePage(stream, headers, { ...visitor, until: clock.now() + leftMs }, page)
    }
    if (protocol === undefined) proxyRequest(stream, headers, target)
    else proxyWebSocket(stream, headers, target)
  }
}

/** A visit that may only watch reaches only targets that enforce it, with methods that do not change anything. */
function isAllowed(visitor: Visitor, headers: IncomingHttpHeaders, isReadOnly: boolean): boolean {
  if (visitor.mode === 'rw') return true
  return isReadOnly && readingMethods.has(String(headers[':method']))
}

function endAfter(stream: ServerHttp2Stream, leftMs: number, clock: Clock): void {
  // A timer is limited to 2^31 ms, and a visit lasts hours.
  const cancel = clock.after(Math.min(leftMs, 2 ** 31 - 1), () => resetStream(stream, 'the visit has ended'))
  stream.once('close', cancel)
}

function answerData(stream: ServerHttp2Stream, data: object): void {
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end(JSON.stringify(data))
}
