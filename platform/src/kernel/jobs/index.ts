/** Jobs: queued work that commits with its rows, and work by the clock that one process does for all. */

export {
  type ClockJob,
  type ClockRun,
  type Job,
  JobRefused,
  type JobRun,
  needsModule,
  type Queue,
  type QueueJob,
  queueJob,
  queueOf,
  type TakenJob,
} from './job.ts'
export { Jobs, type JobsDeps } from './jobs.ts'
export { countJobs, type JobView, listClockJobs, listJobs } from './jobs-views.ts'
export type { JobProgress } from './progress.ts'
