import { readFileSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { productVersion } from '@busbar/contract'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import { Histogram } from './histogram.ts'
import { counter, gauge, histogram, type Metric } from './metric.ts'

const delayProbeMs = 20
const delayBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const pauseBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5]

const pauseKinds = new Map<number | undefined, string>([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak_callbacks'],
])

type PauseEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } }

/** Watches this process: event loop, collector, memory, files, disk. */
export class ProcessMetrics {
  readonly #dataDir: string | undefined
  readonly #backupNote: string
  readonly #delay = new Histogram(delayBounds)
  readonly #pauses = new Map([...pauseKinds.values()].map((kind) => [kind, new Histogram(pauseBounds)]))
  readonly #collector: PerformanceObserver
  readonly #probe: NodeJS.Timeout
  readonly #startedAt = performance.timeOrigin / 1_000
  readonly #filesMax = readFilesMax()
  #probedAt = performance.now()

  /**
   * `dataDir`: the folder whose disk must not run full; undefined if the database is elsewhere. `backupNote`: the file that
   * each backup touches.
   */
  constructor(dataDir: string | undefined, backupNote: string, logger: Pick<Logger, 'error'>) {
    this.#dataDir = dataDir
    this.#backupNote = backupNote
    this.#probe = every(delayProbeMs, () => this.#observeDelay(), logger)
    this.#collector = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PauseEntry[]) {
        const kind = pauseKinds.get(entry.detail?.kind)
        if (kind) this.#pauses.get(kind)?.observe(entry.duration / 1_000)
      }
    })
    this.#collector.observe({ entryTypes: ['gc'] })
  }

  close(): void {
    clearInterval(this.#probe)
    this.#collector.disconnect()
  }

  async collect(): Promise<Metric[]> {
    const memory = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const loop = performance.eventLoopUtilization()
    return [
      gauge('busbar_build_info', 'Always 1; version of Busbar and of Node', [
        { labels: { version: productVersion, node: process.versions.node }, value: 1 },
      ]),
      gauge('process_start_time_seconds', 'When the process started, since 1970', this.#startedAt),
      counter('process_cpu_seconds_total', 'CPU time used, all threads', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory', memory.rss),
      gauge('nodejs_heap_used_bytes', 'Used heap', memory.heapUsed),
      gauge(
        'nodejs_heap_limit_bytes',
        'Heap beyond which the process ends',
        getHeapStatistics().heap_size_limit,
      ),
      gauge('nodejs_external_memory_bytes', 'Buffers and other memory outside the heap', memory.external),
      gauge('process_open_fds', 'Open files and sockets', await countOpenFiles()),
      gauge('process_max_fds', 'Open files and sockets allowed', this.#filesMax),
      histogram('busbar_event_loop_delay_seconds', 'How late a timer fires, probed every 20 ms', this.#delay),
      counter(
        'busbar_event_loop_busy_seconds_total',
        'Time the event loop was not idle',
        loop.active / 1_000,
      ),
      histogram(
        'nodejs_gc_duration_seconds',
        'Pauses of the garbage collector',
        [...this.#pauses].map(([kind, pauses]) => ({ labels: { kind }, histogram: pauses })),
      ),
      gauge(
        'busbar_backup_made_seconds',
        'When the last backup was made, since 1970; 0: none is known',
        await stat(this.#backupNote).then(
          ({ mtimeMs }) => Math.round(mtimeMs / 1_000),
          () => 0,
        ),
      ),
      ...(await this.#disk()),
    ]
  }

  #observeDelay(): void {
    const now = performance.now()
    this.#delay.observe(Math.max(0, now - this.#probedAt - delayProbeMs) / 1_000)
    this.#probedAt = now
  }

  async #disk(): Promise<Metric[]> {
    if (this.#dataDir === undefined) return []
    const disk = await statfs(this.#dataDir).catch(() => undefined)
    if (!disk) return []
    return [
      gauge('busbar_data_disk_free_bytes', 'Room left on the disk of DATA_DIR', disk.bavail * disk.bsize),
      gauge('busbar_data_disk_size_bytes', 'Size of the disk of DATA_DIR', disk.blocks * disk.bsize),
    ]
  }
}

/** Linux 6.2 and later report the number as the folder's size; earlier ones need a listing. */
async function countOpenFiles(): Promise<number> {
  const folder = '/proc/self/fd'
  const { size } = await stat(folder).catch(() => ({ size: 0 }))
  if (size > 0) return size
  return (await readdir(folder).catch(() => [])).length
}

function readFilesMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? 0)
  } catch {
    return 0
  }
}
