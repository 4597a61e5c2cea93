import { createServer, type Server } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** One metric family in Prometheus' terms. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly value: number
}

/** Serves /metrics on a loopback port of its own; answers the function that stops it. */
export async function startMetrics(
  port: number,
  collect: () => readonly Metric[],
): Promise<() => Promise<void>> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const server: Server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    const own: Metric[] = [
      gauge('process_resident_memory_bytes', 'Resident memory in bytes', process.memoryUsage.rss()),
      gauge(
        'busbar_event_loop_delay_p99_seconds',
        'Event loop delay since the last scrape, p99',
        delay.percentile(99) / 1e9,
      ),
    ]
    delay.reset()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(formatMetrics([...own, ...collect()]))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  return async () => {
    delay.disable()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  value,
})
export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  value,
})

/** Prometheus' text format 0.0.4. */
export function formatMetrics(metrics: readonly Metric[]): string {
  return metrics
    .map(
      ({ name, help, type, value }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`,
    )
    .join('')
}
