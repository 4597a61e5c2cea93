import { z } from 'zod'
import { instant, nothing, paged } from './fields.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

/** The queues of the platform; the console has a word for each. */
export const jobQueues = [
  'sms',
  'email',
  'telemetry.rows',
  'exports',
  'reports',
  'machineImports',
  'destinations.replay',
  'places.locate',
  'visitChanges.keep',
] as const
export type JobQueue = (typeof jobQueues)[number]

/** The subjects of jobs, by the names in their data; the console has a text for each. */
export const jobSubjects = ['messageId', 'runId'] as const
export type JobSubject = (typeof jobSubjects)[number]

/** The clock jobs of the platform; the console has words for each. */
export const clockJobs = [
  'access.expireTransfers',
  'access.removeOldFailures',
  'access.timedRights',
  'accounts.removeExpired',
  'alarms.endShelves',
  'applications.expire',
  'audit.seal',
  'boards.removeOld',
  'checks.removeOld',
  'codes.removeExpired',
  'destinations.removeOld',
  'exports.removeOld',
  'facts.keepPartitions',
  'files.removeOld',
  'jobs.housekeeping',
  'leaving.erasePeople',
  'leaving.eraseSpaces',
  'leaving.expireHandovers',
  'machineImports.removeOld',
  'onboarding.removeAbandoned',
  'onboarding.removeLinks',
  'machineLists.trimChanges',
  'places.moved',
  'places.thin',
  'sims.refresh',
  'sims.removeOld',
  'sims.watch',
  'messages.removeOld',
  'nodes.removeOld',
  'notifications.removeOld',
  'notifications.sendDigests',
  'notifications.escalate',
  'notifications.removeExpired',
  'outgoing.removeOld',
  'presence.endSilent',
  'presence.removeOld',
  'projectData.removeSessions',
  'projectStream.keep',
  'projects.endKeys',
  'projects.removeOldMinutes',
  'realtime.removeOldEvents',
  'reports.due',
  'rights.removeOld',
  'sites.removeOld',
  'telemetry.fold',
  'telemetry.latest',
  'telemetry.log',
  'telemetry.retention',
  'uploads.removeUnused',
  'writes.takeOver',
] as const
export type ClockJobName = (typeof clockJobs)[number]

const queueNameMax = 60
const queue = z
  .string()
  .max(queueNameMax)
  .regex(/^[a-z][A-Za-z0-9.]*$/)

const queueRow = z.object({
  queue: z.string(),
  waiting: z.int(),
  running: z.int(),
  failed: z.int().describe('Kept for 7 days'),
})
export type JobQueueRow = z.output<typeof queueRow>

const clockRow = z.object({
  name: z.string(),
  everyS: z.int().describe('Seconds from one run to the next'),
  isRunning: z.boolean(),
  lastAt: instant.nullable().describe('Beginning of the last run; null: no run yet'),
  lastMs: z.number().nullable().describe('How long the last finished run took'),
  nextAt: instant,
  error: z.string().describe('Of the last run; empty: it ended well'),
  failures: z.int().describe('Failed runs in a row'),
})
export type ClockJobRow = z.output<typeof clockRow>

export const getJobsOverview = route({
  method: 'GET',
  path: '/api/operator/v1/jobs/overview',
  who: 'operator',
  title: { cn: '任务队列与定时任务', en: 'List queues and scheduled jobs' },
  request: nothing,
  answer: z.object({ queues: z.array(queueRow), clock: z.array(clockRow) }),
  errors: [],
})

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

const jobRow = z.object({
  jobId: z.uuid(),
  queue: z.string(),
  state: z.enum(jobStates),
  tries: z.int(),
  ids: z.record(z.string(), z.number()).describe('The ids it works on'),
  error: z.string().describe('Of the last try that failed'),
  createdAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  nextAt: instant.nullable().describe('The next try of a waiting job'),
  done: z.int().nullable().describe('Steps done; null: unknown'),
  total: z.int().nullable(),
})
export type JobRow = z.output<typeof jobRow>

export const listJobs = route({
  method: 'GET',
  path: '/api/operator/v1/jobs',
  who: 'operator',
  load: 'search',
  title: { cn: '任务列表', en: 'List jobs' },
  request: z.object({ ...paging, only: z.enum(['waiting', 'running', 'failed']).optional() }),
  answer: paged(jobRow),
  errors: [],
})

export const retryJob = route({
  method: 'POST',
  path: '/api/operator/v1/jobs/:queue/:jobId/retry',
  who: 'operator',
  title: { cn: '重试失败的任务', en: 'Retry a failed job' },
  request: z.object({ queue, jobId: z.uuid() }),
  answer: nothing,
  errors: ['404'],
})

export const cancelJob = route({
  method: 'DELETE',
  path: '/api/operator/v1/jobs/:queue/:jobId',
  who: 'operator',
  title: { cn: '取消任务', en: 'Cancel a queued or running job' },
  request: z.object({ queue, jobId: z.uuid() }),
  answer: nothing,
  errors: ['404'],
})
