import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** A job as operators see it: of its data only the ids. */
export interface JobView {
  readonly id: string
  readonly queue: string
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'
  readonly tries: number
  readonly data: Readonly<Record<string, unknown>>
  readonly error: string
  readonly created_on: Date
  readonly started_on: Date | null
  readonly completed_on: Date | null
  readonly start_after: Date
  readonly done: number | null
  readonly total: number | null
}

/** Which jobs are listed. */
export interface JobFilter {
  readonly states: readonly JobView['state'][]
  readonly search: string
  readonly offset: number
  readonly count: number
  /** They are counted up to this number. */
  readonly countedMax: number
}

/** A clock job and its last run. */
export interface ClockView {
  readonly name: string
  readonly every_s: number
  readonly is_running: boolean
  readonly started_at: Date | null
  readonly last_ms: number | null
  readonly due_at: Date
  readonly error: string
  readonly failures: number
}

/** Jobs of the kept time, newest first, found by queue, id, or an id in their data. */
export async function listJobs(
  db: Database,
  { states, search, offset, count, countedMax }: JobFilter,
): Promise<{ rows: JobView[]; total: number }> {
  const wished = `${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  const found = sql`from jobs.job_common job
    where state::text = any(${[...states]}::text[])
      and (${search === ''} or name ilike ${wished} or id::text like ${wished}
        or exists (select from jsonb_each_text(data->'data') own where own.value = ${search}))`
  const { rows } = await sql<JobView>`
    select job.id, name as queue, state::text, retry_count + (started_on is not null)::int as tries,
           data->'data' as data, coalesce(output->>'message', '') as error,
           created_on, started_on, completed_on, start_after, progress.done, progress.total
      from (select * ${found} order by created_on desc, id limit ${count} offset ${offset}) job
      left join jobs.progress on progress.job_id = job.id
     order by created_on desc, job.id`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*) as count from (select ${found} limit ${countedMax}) counted`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

/** Number of waiting, running and failed jobs of each queue. */
export async function countJobs(db: Database) {
  const { rows } = await sql<{ queue: string; waiting: number; running: number; failed: number }>`
    select queue.name as queue,
           count(job.id) filter (where job.state in ('created', 'retry')) as waiting,
           count(job.id) filter (where job.state = 'active') as running,
           count(job.id) filter (where job.state = 'failed') as failed
      from jobs.queue
      left join jobs.job_common job
        on job.name = queue.name and job.state in ('created', 'retry', 'active', 'failed')
     group by queue.name order by queue.name`.execute(db)
  return rows
}

/** The clock jobs of all processes by name. */
export async function listClockJobs(db: Database): Promise<ClockView[]> {
  const { rows } = await sql<ClockView>`
    select name, every_s, coalesce(leased_until > now(), false) as is_running, started_at,
           case when ended_at >= started_at
                then extract(epoch from ended_at - started_at)::float8 * 1000 end as last_ms,
           due_at, error, failures
      from jobs.clock_job order by name`.execute(db)
  return rows
}
