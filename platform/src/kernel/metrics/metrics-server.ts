import { createServer } from 'node:http'
import { isIP } from 'node:net'
import type { Logger } from '../logger.ts'
import { formatMetrics, type Metric } from './metric.ts'
import { ProcessMetrics } from './process-metrics.ts'

const requestMsMax = 10_000
const connectionsMax = 32

export interface MetricsServer {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Serves `/metrics` on a port of its own: figures of the whole platform, without a sign-in. Requests by a host name are
 * refused, because a page whose name resolves to this address (DNS rebinding) could read the metrics in a person's
 * browser.
 */
export async function startMetricsServer(options: {
  host: string
  port: number
  dataDir?: string | undefined
  backupNote: string
  logger: Pick<Logger, 'error'>
  collect: () => readonly Metric[]
}): Promise<MetricsServer> {
  const own = new ProcessMetrics(options.dataDir, options.backupNote, options.logger)
  const server = createServer(async (request, response) => {
    if (!isOwnHost(request.headers.host, options.host)) return response.writeHead(421).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405).end()
    if (request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const text = formatMetrics([...(await own.collect()), ...options.collect()])
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.maxConnections = connectionsMax
  server.requestTimeout = requestMsMax
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, options.host, resolve),
  )
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    async stop() {
      own.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether a Host header is this machine's loopback, or the address that is listened on; of all, any address. */
export function isOwnHost(header: string | undefined, listeningOn: string): boolean {
  const name = header
    ?.replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  if (!name) return false
  if (name === 'localhost' || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)) return true
  const isWildcard = listeningOn === '0.0.0.0' || listeningOn === '::'
  return isWildcard ? isIP(name) !== 0 : name === listeningOn.toLowerCase()
}
