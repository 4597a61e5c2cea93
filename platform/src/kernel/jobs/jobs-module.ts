import type { Kernel } from '../kernel.ts'
import type { Module } from '../module.ts'
import type { Job } from './job.ts'

/** Runs the jobs that the modules declare. */
export function createJobsModule({ jobs }: Pick<Kernel, 'jobs'>, declared: readonly Job[]): Module {
  jobs.declare(declared)
  return {
    name: 'jobs',
    roles: ['jobs'],
    start: () => jobs.start(),
    stop: () => jobs.stop(),
    metrics: () => jobs.metrics(),
  }
}
