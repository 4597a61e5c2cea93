import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

const tellMsMin = 500

/** The progress of a job, for its person. */
export interface JobProgress {
  readonly jobId: string
  readonly userId: number
  readonly done: number
  /** 0: not known. */
  readonly total: number
  /** `failed`: it is not tried again. */
  readonly state: 'running' | 'done' | 'failed'
  /** The file that it made; empty before its end and for other jobs. */
  readonly url: string
  readonly at: number
}

/** A job with the person who waits for it. */
export interface AwaitedJob {
  readonly jobId: string
  readonly userId: number | undefined
}

interface ProgressDeps {
  readonly db: Database
  readonly now: () => number
  tell?(progress: JobProgress): Promise<void>
}

/** The progress of the running jobs of this process: in a row for operators, and published to the job's person. */
export class ProgressBook {
  readonly #deps: ProgressDeps
  readonly #told = new Map<string, { done: number; total: number; at: number }>()

  constructor(deps: ProgressDeps) {
    this.#deps = deps
  }

  /** Steps in quick succession are published twice a second at most; the last one always. */
  async note(job: AwaitedJob, done: number, total: number): Promise<void> {
    const { jobId } = job
    const at = performance.now()
    if (done < total && at - (this.#told.get(jobId)?.at ?? Number.NEGATIVE_INFINITY) < tellMsMin) return
    this.#told.set(jobId, { done, total, at })
    const { db } = this.#deps
    await sql`insert into jobs.progress (job_id, done, total) values (${jobId}, ${done}, ${total})
      on conflict (job_id) do update set done = excluded.done, total = excluded.total, at = now()`.execute(db)
    await this.#tell(job, { done, total, state: 'running', url: '' })
  }

  /** Publishes the end of a job, with the last step. */
  async end(job: AwaitedJob, state: 'done' | 'failed', url = ''): Promise<void> {
    const { done, total } = this.#told.get(job.jobId) ?? { done: 0, total: 0 }
    await this.#tell(job, { done, total, state, url })
  }

  async #tell(
    { jobId, userId }: AwaitedJob,
    step: Pick<JobProgress, 'done' | 'total' | 'state' | 'url'>,
  ): Promise<void> {
    const { now, tell } = this.#deps
    if (userId !== undefined) await tell?.({ jobId, userId, ...step, at: now() })
  }

  /** Removes the progress left by killed processes: the rows of jobs that do not run. */
  async removeEnded(): Promise<void> {
    await sql`delete from jobs.progress
      where job_id not in (select id from jobs.job_common where state = 'active')`.execute(this.#deps.db)
  }

  /** The job has ended. */
  async forget(jobId: string): Promise<void> {
    if (!this.#told.delete(jobId)) return
    await sql`delete from jobs.progress where job_id = ${jobId}`.execute(this.#deps.db)
  }
}
