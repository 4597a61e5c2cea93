import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import type { ClockJob } from './job.ts'

/** A run that lasts longer renews its lease; of a process that was killed another takes over after that. */
const leaseS = 60
const renewMs = 20_000
const notReadWaitMs = 5_000
const errorCharactersMax = 300

interface ClockDeps {
  readonly db: Database
  readonly logger: Logger
  /** Epoch milliseconds. */
  now(): number
  ended(name: string, isFailed: boolean): void
}

interface Claim {
  readonly name: string
  readonly told_at: Date | null
  /** When this run began; distinguishes it from the run of a process that took over. */
  readonly run: string
}

/**
 * Runs clock jobs, each once for all processes: a row of the job has its due time, and the process that moves that time
 * on runs it. Between two due times it does not query the database.
 */
export class Clock {
  readonly #jobs: ReadonlyMap<string, ClockJob>
  readonly #deps: ClockDeps
  /** When a job is worth asking for, by `performance.now()`. */
  readonly #dueAt = new Map<string, number>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> = Promise.resolve()

  constructor(jobs: readonly ClockJob[], deps: ClockDeps) {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.#deps = deps
  }

  async start(): Promise<void> {
    const jobs = [...this.#jobs.values()]
    if (jobs.length === 0) return
    const { rows } = await sql<{ name: string; in_s: number }>`
      insert into jobs.clock_job (name, every_s, due_at)
      select name, every_s, now() + first_s * interval '1 s'
        from unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ everyS }) => everyS)}::int[],
                    ${jobs.map(({ everyS, atOnce }) => (atOnce ? 0 : everyS))}::int[]) as job (name, every_s, first_s)
      order by name
      on conflict (name) do update
        set every_s = excluded.every_s,
            due_at = least(clock_job.due_at, now() + excluded.every_s * interval '1 s')
      returning name, extract(epoch from due_at - now())::float8 as in_s`.execute(this.#deps.db)
    const at = performance.now()
    for (const { name, in_s } of rows) this.#dueAt.set(name, at + in_s * 1_000)
    this.#arm()
  }

  /** Starts no more runs, aborts the running ones, and waits for them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#turn
    await Promise.all(this.#running.values())
  }

  #arm(): void {
    if (this.#stopping.signal.aborted) return
    const next = Math.min(...this.#dueAt.values())
    this.#timer = setTimeout(
      () => {
        this.#turn = this.#startDue()
          .catch((error) => this.#deps.logger.warn({ err: error }, 'job.clockReadFailed'))
          .finally(() => this.#arm())
      },
      Math.max(0, next - performance.now()),
    )
  }

  async #startDue(): Promise<void> {
    const at = performance.now()
    const names: string[] = []
    for (const [name, dueAt] of this.#dueAt) {
      const job = this.#jobs.get(name)
      if (!job || dueAt > at) continue
      this.#dueAt.set(name, at + job.everyS * 1_000)
      if (!this.#running.has(name)) names.push(name)
    }
    if (names.length === 0) return
    for (const claim of await this.#claimOrWait(names)) {
      const job = this.#jobs.get(claim.name)
      if (!job) continue
      // Counted from after the claim, or a slow answer would make the next question come too early and find it not due.
      this.#dueAt.set(job.name, performance.now() + job.everyS * 1_000)
      const run = this.#run(job, claim).finally(() => this.#running.delete(job.name))
      this.#running.set(job.name, run)
    }
  }

  /** While the database is away a job is tried again soon, however rarely it runs. */
  async #claimOrWait(names: readonly string[]): Promise<Claim[]> {
    try {
      return await this.#claim(names)
    } catch (error) {
      for (const name of names) {
        const waitMs = Math.min((this.#jobs.get(name)?.everyS ?? 0) * 1_000, notReadWaitMs)
        this.#dueAt.set(name, performance.now() + waitMs)
      }
      throw error
    }
  }

  /**
   * Due a tenth of a second early: two clocks that tick together must not miss every second turn. Times further ahead
   * than a run sets them are of before the server's clock was put back.
   */
  async #claim(names: readonly string[]): Promise<Claim[]> {
    const { rows } = await sql<Claim>`
      update jobs.clock_job set due_at = now() + every_s * interval '1 s', started_at = now(),
             leased_until = now() + ${leaseS} * interval '1 s'
       where name in (
         select name from jobs.clock_job
          where name = any(${names}::text[])
            and (due_at <= now() + interval '100 ms' or due_at > now() + (every_s + 1) * interval '1 s')
            and (leased_until is null or leased_until < now()
              or leased_until > now() + ${leaseS + 1} * interval '1 s')
          for update skip locked)
      returning name, told_at, started_at::text as run`.execute(this.#deps.db)
    return rows
  }

  async #run(job: ClockJob, claim: Claim): Promise<void> {
    const { logger, now, ended } = this.#deps
    const began = now()
    const renewing = every(renewMs, () => this.#renew(claim), logger)
    let fault = ''
    try {
      await job.run({ signal: this.#stopping.signal, now: began, previous: claim.told_at?.getTime() })
    } catch (error) {
      fault =
        (error instanceof Error ? error.message : String(error)).slice(0, errorCharactersMax) || 'failed'
      if (!this.#stopping.signal.aborted) logger.warn({ err: error, job: job.name }, 'job.failed')
    } finally {
      clearInterval(renewing)
    }
    ended(job.name, fault !== '')
    await this.#note(claim, began, fault).catch((error) =>
      logger.warn({ err: error, job: job.name }, 'job.settleFailed'),
    )
  }

  /** A run that another process took over from leaves the row to that one. */
  async #note({ name, run }: Claim, began: number, fault: string): Promise<void> {
    await sql`
      update jobs.clock_job set leased_until = null, ended_at = clock_timestamp(), error = ${fault},
             failures = case when ${fault === ''} then 0 else failures + 1 end,
             told_at = case when ${fault === ''} then ${new Date(began)}::timestamptz else told_at end
       where name = ${name} and started_at = ${run}::timestamptz`.execute(this.#deps.db)
  }

  #renew({ name, run }: Claim): void {
    sql`update jobs.clock_job set leased_until = now() + ${leaseS} * interval '1 s'
      where name = ${name} and started_at = ${run}::timestamptz and leased_until is not null`
      .execute(this.#deps.db)
      .catch((error) => this.#deps.logger.warn({ err: error, job: name }, 'job.leaseRenewFailed'))
  }
}
