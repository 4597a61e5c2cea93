import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Bus } from '../bus/bus.ts'
import { afterCommit } from '../database/after-commit.ts'
import { type Database, withTransaction } from '../database/database.ts'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import { counter, type Metric } from '../metrics/index.ts'
import { endsWithin, jobsStopMsMax } from '../stop-budget.ts'
import { affectedBy, bossDb, type Envelope, openBoss } from './boss.ts'
import { Clock } from './clock.ts'
import { adoptFailedJobs, failLostJobs, isLost } from './given-up.ts'
import type { ClockJob, Job, Queue, QueueJob } from './job.ts'
import { type JobProgress, ProgressBook } from './progress.ts'
import { QueueWorker } from './queue-worker.ts'

/** Longest delay until jobs of another process, and those of a killed one, are found. */
const lookMs = 5_000
const heartbeatMs = 10_000
const leavePollMs = 50
/** A job whose process has been silent for this time is taken over. */
const silentS = 30
/** Jobs that are done or have failed are listed for so long. */
const keptS = 7 * 86_400
/**
 * Processes that may be gone in the middle of a job before it is the job that is blamed (rules/operations.md: jobs).
 */
const lostMax = 3
const housekeepingS = 300
/** Any one number: who holds this advisory lock gives rows their jobs. */
const adoptLockNumber = 6_180_339_887

/** The parts of the platform that jobs work with. */
export interface JobsDeps {
  readonly db: Database
  readonly bus: Bus
  readonly logger: Logger
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Sends a person the progress of their job. */
  tell?(progress: JobProgress): Promise<void>
}

/** The options of a queued job; `userId`: the person who waits for it. */
export interface SendOptions {
  /** A UUID, where the job has the id of its row. */
  readonly id?: string
  readonly afterS?: number
  readonly userId?: number
}

const isQueueJob = (job: Job): job is QueueJob => 'queue' in job

/**
 * Work beside the calls: queued jobs commit with the rows they belong to, clock jobs run once for all processes. Declare
 * every job before `start`.
 */
export class Jobs {
  readonly #deps: JobsDeps
  /** The names of all queues, also of those whose jobs run elsewhere. */
  readonly #queues = new Set<string>()
  readonly #queueJobs = new Map<string, QueueJob>()
  readonly #clockJobs: ClockJob[] = []
  readonly #workers = new Map<string, QueueWorker>()
  readonly #runs = new Map<string, { done: number; failed: number }>()
  readonly #progress: ProgressBook
  readonly #unsubscribe: () => void
  #boss: Promise<PgBoss> | undefined
  #clock: Clock | undefined
  #lookTimer: NodeJS.Timeout | undefined
  #heartbeatTimer: NodeJS.Timeout | undefined

  constructor(deps: JobsDeps) {
    this.#deps = deps
    this.#progress = new ProgressBook(deps)
    this.#unsubscribe = deps.bus.subscribe('jobs', ({ queue, cancelled }) => {
      const worker = this.#workers.get(queue)
      if (cancelled === undefined) worker?.wake()
      else worker?.abort(cancelled)
    })
  }

  /** `elsewhere`: jobs that run in other processes; this one sends to their queues. */
  declare(jobs: readonly Job[], elsewhere: readonly Job[] = []): void {
    for (const job of [...jobs, ...elsewhere]) if (isQueueJob(job)) this.#queues.add(job.queue.name)
    for (const job of jobs) {
      if (isQueueJob(job)) this.#queueJobs.set(job.queue.name, job)
      else this.#clockJobs.push(job)
    }
  }

  /**
   * Opens the queues. To be called before the first transaction that sends a job: what is not known by then is read on
   * another connection than the transaction's.
   */
  async open(): Promise<void> {
    const boss = await this.#open()
    if (!(await this.#createQueues(boss))) return
    // It keeps in memory the queues that were there when it started.
    this.#boss = undefined
    await this.#open()
    await boss.stop({ graceful: false, close: false })
  }

  async start(): Promise<void> {
    const { db, logger, now } = this.#deps
    await this.open()
    const boss = await this.#open()
    await this.#adopt()
    const ended = (name: string, isFailed: boolean) => this.#count(name, isFailed)
    for (const [name, job] of this.#queueJobs)
      this.#workers.set(name, new QueueWorker(job, { db, boss, logger, progress: this.#progress, ended }))
    await this.#look(boss)
    this.#lookTimer = every(lookMs, () => this.#look(boss), logger)
    this.#heartbeatTimer = every(heartbeatMs, () => this.#beat(boss), logger)
    this.#clock = new Clock([...this.#clockJobs, this.#housekeepingOf(boss)], { db, logger, now, ended })
    await this.#clock.start()
  }

  /** Leaves what is due to other processes; resolves when the handlers that run have ended, or after `ms`. */
  async leave(ms: number): Promise<void> {
    clearInterval(this.#lookTimer)
    for (const worker of this.#workers.values()) worker.leave()
    const until = performance.now() + ms
    const isBusy = () => [...this.#workers.values()].some(({ attempts }) => attempts.length > 0)
    while (isBusy() && performance.now() < until) await sleep(leavePollMs)
  }

  /** Takes no more jobs, aborts the handlers, and waits for them, for seconds at most. */
  async stop(): Promise<void> {
    this.#unsubscribe()
    clearInterval(this.#lookTimer)
    clearInterval(this.#heartbeatTimer)
    const ends = [this.#clock?.stop(), ...Array.from(this.#workers.values(), (worker) => worker.stop())]
    await endsWithin(jobsStopMsMax, () => Promise.all(ends))
    const boss = await this.#boss?.catch(() => undefined)
    await boss?.stop({ graceful: false, close: false })
  }

  /** Queues a job in the caller's transaction; it is taken at once after the commit. Answers its id. */
  async send<Data extends object>(
    trx: Database,
    queue: Queue<Data>,
    data: Data,
    { id: wishedId, afterS, userId }: SendOptions = {},
  ): Promise<string> {
    const boss = await this.#open()
    const envelope: Envelope = userId === undefined ? { data } : { data, userId }
    const retryLimit = (this.#queueJobs.get(queue.name)?.retryS.length ?? 0) + lostMax
    const later = afterS === undefined ? {} : { startAfter: afterS }
    const own = wishedId === undefined ? {} : { id: wishedId }
    const id = await boss.send(queue.name, envelope, { ...own, ...later, retryLimit, db: bossDb(trx) })
    if (id === null) throw new Error(`The queue ${queue.name} took no job.`)
    afterCommit(trx, () => this.wake(queue.name))
    return id
  }

  /** Queues jobs as `send` does, in one statement. */
  async sendAll<Data extends object>(trx: Database, queue: Queue<Data>, all: readonly Data[]): Promise<void> {
    if (all.length === 0) return
    const boss = await this.#open()
    const retryLimit = (this.#queueJobs.get(queue.name)?.retryS.length ?? 0) + lostMax
    const jobs = all.map((data) => ({ data: { data } satisfies Envelope, retryLimit }))
    await boss.insert(queue.name, jobs, { db: bossDb(trx) })
    afterCommit(trx, () => this.wake(queue.name))
  }

  /** Has every process look into a queue. */
  wake(queue: string): void {
    this.#deps.bus.publish('jobs', { queue })
  }

  /** Tries a failed job once more; false if it does not exist. */
  async retry(trx: Database, queue: string, id: string): Promise<boolean> {
    const boss = await this.#open()
    if (!this.#queueJobs.has(queue)) return false
    const retried = await boss.retry(queue, id, { db: bossDb(trx) })
    afterCommit(trx, () => this.wake(queue))
    return affectedBy(retried) > 0
  }

  /** Cancels a job that waits or runs; the handler of a running one gets an abort. False if it does not exist. */
  async cancel(trx: Database, queue: string, id: string): Promise<boolean> {
    const boss = await this.#open()
    const job = this.#queueJobs.get(queue)
    if (!job) return false
    const cancelled = await boss.cancel(queue, id, { db: bossDb(trx) })
    if (affectedBy(cancelled) === 0) return false
    const { rows } = await sql<{ data: Envelope }>`
      select data from jobs.job where name = ${queue} and id = ${id}`.execute(trx)
    if (rows[0]) await job.cancelled?.(trx, rows[0].data.data)
    afterCommit(trx, () => this.#deps.bus.publish('jobs', { queue, cancelled: id }))
    return true
  }

  metrics(): Metric[] {
    const samples = (state: 'done' | 'failed') =>
      Array.from(this.#runs, ([job, counts]) => ({ labels: { job }, value: counts[state] }))
    return [
      counter('busbar_job_runs_total', 'Runs of jobs that ended well.', samples('done')),
      counter('busbar_job_failures_total', 'Runs of jobs that failed.', samples('failed')),
    ]
  }

  #open(): Promise<PgBoss> {
    this.#boss ??= openBoss(this.#deps.db, this.#deps.logger)
    return this.#boss
  }

  #count(name: string, isFailed: boolean): void {
    const counts = this.#runs.get(name) ?? { done: 0, failed: 0 }
    counts[isFailed ? 'failed' : 'done']++
    this.#runs.set(name, counts)
  }

  /** Whether there were new ones. */
  async #createQueues(boss: PgBoss): Promise<boolean> {
    const { rows } = await sql<{ name: string }>`select name from jobs.queue`.execute(this.#deps.db)
    const there = new Set(rows.map(({ name }) => name))
    const fresh = [...this.#queues].filter((name) => !there.has(name))
    for (const name of fresh)
      await boss.createQueue(name, {
        retryDelay: 0,
        heartbeatSeconds: silentS,
        // The heartbeat detects a dead process; a handler may take long.
        expireInSeconds: 86_400 - 1,
        deleteAfterSeconds: keptS,
      })
    return fresh.length > 0
  }

  async #adopt(): Promise<void> {
    const jobs: QueueJob[] = []
    for (const job of this.#queueJobs.values())
      if (job.adopt && ((await job.mayAdopt?.()) ?? true)) jobs.push(job)
    if (jobs.length === 0) return
    await withTransaction(this.#deps.db, async (trx) => {
      await sql`select pg_advisory_xact_lock(${adoptLockNumber}::bigint)`.execute(trx)
      for (const { queue, adopt } of jobs)
        for (const data of (await adopt?.(trx)) ?? []) await this.send(trx, queue, data)
    })
  }

  /** One question for all queues: while they are empty nothing else is asked. */
  async #look(boss: PgBoss): Promise<void> {
    try {
      const { rows } = await sql<{ name: string; has_lost: boolean }>`
        select name, bool_or(state = 'active') as has_lost
          from jobs.job_common
         where name = any(${[...this.#workers.keys()]}::text[])
           and (state in ('created', 'retry') and start_after <= now() or ${isLost})
         group by name`.execute(this.#deps.db)
      for (const { name, has_lost } of rows) {
        const job = this.#queueJobs.get(name)
        if (has_lost && job) await failLostJobs(this.#deps, boss, job)
        this.#workers.get(name)?.wake()
      }
    } catch (error) {
      this.#deps.logger.warn({ err: error }, 'job.queuesReadFailed')
    }
  }

  /** Deletes expired jobs, and the progress of jobs that no longer run. */
  #housekeepingOf(boss: PgBoss): ClockJob {
    return {
      name: 'jobs.housekeeping',
      everyS: housekeepingS,
      run: async () => {
        await boss.supervise()
        for (const job of this.#queueJobs.values()) await adoptFailedJobs(this.#deps, job)
        await this.#progress.removeEnded()
      },
    }
  }

  /** A running job that this process no longer has was cancelled, or given to another process. */
  async #beat(boss: PgBoss): Promise<void> {
    for (const worker of this.#workers.values()) {
      for (const attempt of worker.attempts) {
        try {
          const touched = await boss.touch(worker.queue, attempt)
          if (affectedBy(touched) === 0) worker.abort(attempt.id)
        } catch (error) {
          this.#deps.logger.warn({ err: error, jobId: attempt.id }, 'job.renewFailed')
        }
      }
    }
  }
}
