import { operator as contract } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { countJobs, type Jobs, type JobView, listClockJobs, listJobs } from '../../kernel/jobs/index.ts'
import { auditAct } from '../audit/index.ts'

interface JobsRoutesDeps {
  readonly db: Database
  /** Connections of searches. */
  readonly lists: Database
  readonly jobs: Pick<Jobs, 'retry' | 'cancel'>
}

const stateOf: Readonly<Record<JobView['state'], contract.JobState>> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
}
const states = Object.keys(stateOf) as JobView['state'][]

/** Queues, clock jobs and jobs; a failed one is tried again, a waiting or running one is cancelled. */
export function jobsRoutes({ db, lists, jobs }: JobsRoutesDeps): Binding[] {
  return [
    bind(contract.getJobsOverview, async () => ({
      queues: await countJobs(db),
      clock: (await listClockJobs(db)).map((row) => ({
        name: row.name,
        everyS: row.every_s,
        isRunning: row.is_running,
        lastAt: row.started_at?.getTime() ?? null,
        lastMs: row.last_ms,
        nextAt: row.due_at.getTime(),
        error: row.error,
        failures: row.failures,
      })),
    })),

    bind(contract.listJobs, async ({ page, pageSize, search = '', only }) => {
      const { rows, total } = await listJobs(lists, {
        states: only ? states.filter((state) => stateOf[state] === only) : states,
        search,
        offset: (page - 1) * pageSize,
        count: pageSize,
        countedMax: contract.rowsCountedMax,
      })
      return { list: rows.map(presentJob), total, page, pageSize }
    }),

    bind(contract.retryJob, async ({ queue, jobId }, context) => {
      await withTransaction(db, async (trx) => {
        if (!(await jobs.retry(trx, queue, jobId))) throw new Failure('404')
        await auditAct(trx, context, { action: 'job.retry', target: queue, detail: { jobId } })
      })
      return {}
    }),

    bind(contract.cancelJob, async ({ queue, jobId }, context) => {
      await withTransaction(db, async (trx) => {
        if (!(await jobs.cancel(trx, queue, jobId))) throw new Failure('404')
        await auditAct(trx, context, { action: 'job.cancel', target: queue, detail: { jobId } })
      })
      return {}
    }),
  ]
}

/** Numbers are ids and counts; all other data is hidden. */
function presentJob(row: JobView): contract.JobRow {
  const state = stateOf[row.state]
  const numbers = Object.entries(row.data ?? {}).filter((entry): entry is [string, number] => {
    return typeof entry[1] === 'number'
  })
  return {
    jobId: row.id,
    queue: row.queue,
    state,
    tries: row.tries,
    ids: Object.fromEntries(numbers),
    error: row.error,
    createdAt: row.created_on.getTime(),
    startedAt: row.started_on?.getTime() ?? null,
    endedAt: row.completed_on?.getTime() ?? null,
    nextAt: state === 'waiting' ? row.start_after.getTime() : null,
    done: row.done,
    total: row.total,
  }
}
