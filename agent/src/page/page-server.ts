import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock.ts'
import type { PageConfig } from '../config/config.ts'
import type { Log } from '../log.ts'
import { errorReason } from '../log.ts'
import type { PageHandler } from '../tunnel/page-handler.ts'
import { pageLimits, pageTimes } from './page-limits.ts'

export interface PageServer {
  /** The port it listens on; null while it cannot. */
  port(): number | null
  /** Resolves after the first try to listen. */
  firstTry: Promise<void>
  stop(): Promise<void>
}

/** Serves the page at the machine itself. An address that is missing or taken is tried again. */
export function startPageServer(
  config: PageConfig,
  handler: PageHandler,
  parts: { clock: Clock; log: Log },
): PageServer {
  const { clock, log } = parts
  const server = createServer(
    { maxHeaderSize: pageLimits.headerBytesMax, requestTimeout: pageLimits.requestMsMax },
    (request, response) => {
      if (!isOwnHost(request, config)) {
        // Another site's name that leads here would make its page ours (DNS rebinding).
        response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
        response.end('This name is not one of the page. Name it under page.hosts in the configuration.\n')
        return
      }
      const { method = 'GET', url = '/', headers } = request
      handler(
        { method, path: url, headers, body: request, visitor: null },
        {
          begin(status, answerHeaders) {
            response.writeHead(status, answerHeaders)
            response.flushHeaders()
            return response
          },
        },
      )
    },
  )
  server.maxConnections = pageLimits.connectionsMax
  let cancel = (): void => undefined
  let stopped = false

  const firstTry = new Promise<void>((resolve) => {
    const listen = (): void => void server.listen(config.port, config.host)
    server.on('listening', () => {
      log('info', 'page.listening', { host: config.host, port: (server.address() as AddressInfo).port })
      resolve()
    })
    server.on('error', (error) => {
      log('warn', 'page.unavailable', { host: config.host, port: config.port, reason: errorReason(error) })
      if (!stopped && !server.listening) cancel = clock.after(pageTimes.listenRetryMs, listen)
      resolve()
    })
    listen()
  })

  return {
    port: () => (server.listening ? (server.address() as AddressInfo).port : null),
    firstTry,
    stop() {
      stopped = true
      cancel()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** The names of the page: the address of the request, localhost, and the configured names. */
function isOwnHost({ headers, socket }: IncomingMessage, config: PageConfig): boolean {
  const url = `http://${headers.host ?? ''}`
  if (headers.host === undefined || !URL.canParse(url)) return false
  const { hostname, host } = new URL(url)
  // Anything but a name and a port: a path, a user.
  if (host !== headers.host.toLowerCase() && `${host}:80` !== headers.host.toLowerCase()) return false
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  const own = address.includes(':') ? `[${address}]` : address
  return hostname === own || hostname === 'localhost' || config.hosts.includes(hostname)
}
