import type { Kernel } from '../kernel.ts'
import { gauge, Measured } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { roles } from '../roles.ts'
import type { Job } from './job.ts'
import { countJobs } from './jobs-views.ts'

/** Runs jobs: all in a process of the role `jobs`, in others those that need a module which was started there. */
export function createJobsModule(
  { jobs, db, logger }: Pick<Kernel, 'jobs' | 'db' | 'logger'>,
  declared: readonly Job[],
  elsewhere: readonly Job[],
): Module {
  jobs.declare(declared, elsewhere)
  const first: Awaited<ReturnType<typeof countJobs>> = []
  const queues = new Measured(first, () => countJobs(db), logger)
  return {
    name: 'jobs',
    roles,
    async start() {
      await jobs.start()
      queues.start()
    },
    leave: (ms) => jobs.leave(ms),
    stop() {
      queues.stop()
      return jobs.stop()
    },
    metrics: () => [
      ...jobs.metrics(),
      gauge(
        'busbar_jobs_waiting',
        'Jobs of the whole platform that wait in a queue',
        queues.value.map(({ queue, waiting }) => ({ labels: { queue }, value: Number(waiting) })),
      ),
    ],
  }
}
