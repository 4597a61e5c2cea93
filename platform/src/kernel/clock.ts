import type { Logger } from '../logger.ts'
import type { Job, Module } from './module.ts'

/** Runs the jobs of modules by the clock; one that fails is logged and delays no other. */
export function createClockModule({ logger }: { logger: Logger }, jobs: readonly Job[]): Module {
  let timers: NodeJS.Timeout[] = []
  const run = (job: Job) =>
    job.run().catch((error) => logger.warn({ err: error, job: job.name }, 'job.failed'))
  const clear = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  return {
    name: 'clock',
    roles: ['jobs'],
    start() {
      timers = jobs.map((job) => setInterval(() => void run(job), job.everyS * 1_000))
    },
    async drain() {
      clear()
    },
    stop: clear,
  }
}
