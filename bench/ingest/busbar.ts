import { createGateway, type Gateway } from '@busbar/platform/edge/gateway.ts'
import { createLocalBus } from '@busbar/platform/kernel/bus/bus.ts'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import type { Logger } from '@busbar/platform/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '@busbar/platform/modules/telemetry/index.ts'
import { measureMemory } from '../src/memory.ts'
import { serve } from '../src/rpc.ts'

/** Faults are logged; other lines would cost time. */
const logger: Logger = {
  debug() {},
  info() {},
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
}

let db: Database
let telemetry: Telemetry
let gateway: Gateway
let toldValues = 0

serve({
  /** The platform's way from the socket to the commit, with the bus and a listener on it. */
  async listen({ databaseUrl, flushSamples }: { databaseUrl: string; flushSamples?: number }) {
    db = openDatabase(databaseUrl)
    const bus = createLocalBus(logger)
    // Has a listener, as with the push hub.
    bus.subscribe('values', ({ values }) => {
      toldValues += values.length
    })
    const flush = flushSamples === undefined ? {} : { flushSamples }
    telemetry = createTelemetry({ db, bus, logger, now: Date.now, ...flush })
    await telemetry.start()
    gateway = createGateway({ db, bus, logger, telemetry })
    return gateway.start({ host: '127.0.0.1', port: 0 })
  },

  stats() {
    return { ...gateway.stats(), toldValues }
  },

  /** The jobs that the store has every minute. */
  async runJobs() {
    const run = { signal: new AbortController().signal, now: Date.now(), previous: undefined }
    for (const job of telemetry.jobs) if (job.everyS <= 60) await job.run(run)
  },

  memory: measureMemory,

  rss() {
    globalThis.gc?.()
    return process.memoryUsage.rss()
  },

  async close() {
    await gateway.stop()
    await telemetry.stop()
    await db.destroy()
  },
})
