import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

const tellMsMin = 500

/** The progress of a job, for its person. */
export interface JobProgress {
  readonly jobId: string
  readonly userId: number
  readonly done: number
  readonly total: number
  readonly at: number
}

interface ProgressDeps {
  readonly db: Database
  readonly now: () => number
  tell?(progress: JobProgress): Promise<void>
}

/** The progress of the running jobs of this process: in a row for operators, and published to the job's person. */
export class ProgressBook {
  readonly #deps: ProgressDeps
  readonly #toldAt = new Map<string, number>()

  constructor(deps: ProgressDeps) {
    this.#deps = deps
  }

  /** Steps in quick succession are published twice a second at most; the last one always. */
  async note(
    step: Omit<JobProgress, 'userId' | 'at'> & { readonly userId: number | undefined },
  ): Promise<void> {
    const { jobId, userId, done, total } = step
    const at = performance.now()
    if (done < total && at - (this.#toldAt.get(jobId) ?? Number.NEGATIVE_INFINITY) < tellMsMin) return
    this.#toldAt.set(jobId, at)
    const { db, now, tell } = this.#deps
    await sql`insert into jobs.progress (job_id, done, total) values (${jobId}, ${done}, ${total})
      on conflict (job_id) do update set done = excluded.done, total = excluded.total, at = now()`.execute(db)
    if (userId !== undefined) await tell?.({ jobId, userId, done, total, at: now() })
  }

  /** Removes the progress left by killed processes: the rows of jobs that do not run. */
  async removeEnded(): Promise<void> {
    await sql`delete from jobs.progress
      where job_id not in (select id from jobs.job_common where state = 'active')`.execute(this.#deps.db)
  }

  /** The job has ended. */
  async forget(jobId: string): Promise<void> {
    if (!this.#toldAt.delete(jobId)) return
    await sql`delete from jobs.progress where job_id = ${jobId}`.execute(this.#deps.db)
  }
}
