import type { Kernel } from '../kernel.ts'
import type { Module } from '../module.ts'
import { roles } from '../roles.ts'
import type { Job } from './job.ts'

/** Runs jobs: all in a process of the role `jobs`, in others those that need a module which was started there. */
export function createJobsModule(
  { jobs }: Pick<Kernel, 'jobs'>,
  declared: readonly Job[],
  elsewhere: readonly Job[],
): Module {
  jobs.declare(declared, elsewhere)
  return {
    name: 'jobs',
    roles,
    start: () => jobs.start(),
    leave: (ms) => jobs.leave(ms),
    stop: () => jobs.stop(),
    metrics: () => jobs.metrics(),
  }
}
