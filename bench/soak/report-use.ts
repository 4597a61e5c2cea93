import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/*
 * Loaded into the platform by `--import`, never shipped: once a second it writes the resources in use to
 * `BUSBAR_USE_FILE`. It does not collect garbage, which would cost the measured latency.
 */

/** The resources that a process uses; bytes and milliseconds. */
export interface Use {
  readonly at: number
  readonly rss: number
  /** The least of the last ten seconds: what garbage collection left. */
  readonly heapFloor: number
  readonly external: number
  /** Open sockets, timers and the like. */
  readonly handles: number
  /** Of the last ten seconds. */
  readonly eventLoopDelayP99: number
}

const file = process.env.BUSBAR_USE_FILE
const everyMs = 1_000
const lookEveryMs = 100
const window = 10

if (file && process.argv[1]?.endsWith('platform/dist/main.mjs')) {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const floors: number[] = []
  const delays: number[] = []
  let floor = Number.POSITIVE_INFINITY
  const keep = (list: number[], value: number) => {
    list.push(value)
    if (list.length > window) list.shift()
  }
  setInterval(() => {
    floor = Math.min(floor, process.memoryUsage().heapUsed)
  }, lookEveryMs).unref()
  setInterval(() => {
    keep(floors, floor)
    floor = Number.POSITIVE_INFINITY
    keep(delays, delay.percentile(99) / 1e6)
    delay.reset()
    const { rss, external } = process.memoryUsage()
    const use: Use = {
      at: Date.now(),
      rss,
      heapFloor: Math.min(...floors),
      external,
      handles: process.getActiveResourcesInfo().length,
      eventLoopDelayP99: Math.max(...delays),
    }
    // Renamed, so that readers never see half of it.
    writeFileSync(`${file}.new`, JSON.stringify(use))
    renameSync(`${file}.new`, file)
  }, everyMs).unref()
}
