import { sql } from 'kysely'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { type Database, withTransaction } from '../database/database.ts'
import { faultOf } from '../database/database-fault.ts'
import { untilStored } from '../database/until-stored.ts'
import { Gatherer } from '../gatherer.ts'
import type { Logger } from '../logger.ts'
import { type Attempt, affectedBy, bossDb, type Envelope } from './boss.ts'
import { recordGivenUp } from './given-up.ts'
import { JobRefused, type QueueJob } from './job.ts'
import type { AwaitedJob, ProgressBook } from './progress.ts'

const errorCharactersMax = 300
const completedAtOnceMax = 200
/** A job without room in the database is due again after this time. */
const shortRetryS = 5

interface Running {
  readonly attempt: Attempt
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface WorkerDeps {
  readonly db: Database
  readonly boss: PgBoss
  readonly logger: Logger
  readonly progress: ProgressBook
  /** A try has ended; true: it failed. */
  ended(queue: string, isFailed: boolean): void
}

/** Takes the jobs of one queue and runs them. It looks when it is woken, and again after each try while more may wait. */
export class QueueWorker {
  readonly #job: QueueJob
  readonly #deps: WorkerDeps
  readonly #running = new Map<string, Running>()
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #completions: Gatherer<Attempt, undefined>
  #looking: Promise<void> | undefined
  #isLookingAgain = false
  #mayMoreWait = false
  #isStopped = false

  constructor(job: QueueJob, deps: WorkerDeps) {
    this.#job = job
    this.#deps = deps
    this.#completions = new Gatherer(async (attempts) => {
      await deps.boss.complete(this.queue, [...attempts])
      return attempts.map(() => undefined)
    }, completedAtOnceMax)
  }

  get queue(): string {
    return this.#job.queue.name
  }

  get attempts(): Attempt[] {
    return Array.from(this.#running.values(), ({ attempt }) => attempt)
  }

  /** Takes the jobs that are due. */
  wake(): void {
    if (this.#isStopped) return
    if (this.#looking) {
      this.#isLookingAgain = true
      return
    }
    this.#looking = this.#take()
      .catch((error) => this.#deps.logger.warn({ err: error, queue: this.queue }, 'job.takeFailed'))
      .finally(() => {
        this.#looking = undefined
        if (!this.#isLookingAgain) return
        this.#isLookingAgain = false
        this.wake()
      })
  }

  /** Aborts the handler of a job. */
  abort(jobId: string): void {
    this.#running.get(jobId)?.abort.abort()
  }

  /** Takes no more jobs; those that run go on. */
  leave(): void {
    this.#isStopped = true
    for (const timer of this.#retries) clearTimeout(timer)
  }

  /** Takes no more jobs, aborts the handlers, and waits for them. */
  async stop(): Promise<void> {
    this.leave()
    for (const { abort } of this.#running.values()) abort.abort()
    await this.#looking
    await Promise.all(Array.from(this.#running.values(), ({ done }) => done))
  }

  async #take(): Promise<void> {
    while (!this.#isStopped) {
      const free = this.#job.concurrency - this.#running.size
      if (free <= 0) {
        this.#mayMoreWait = true
        return
      }
      const taken = await this.#deps.boss.fetch<Envelope>(this.queue, {
        batchSize: free,
        includeMetadata: true,
      })
      if (this.#isStopped) {
        // Their handler would run into a platform that is closed.
        for (const { id, retryCount } of taken) await this.#giveBack({ id, retryCount })
        return
      }
      for (const job of taken) this.#run(job)
      if (taken.length < free) {
        this.#mayMoreWait = false
        return
      }
    }
  }

  #run(job: JobWithMetadata<Envelope>): void {
    const abort = new AbortController()
    const attempt = { id: job.id, retryCount: job.retryCount }
    const done = this.#perform(job, attempt, abort.signal)
      .finally(() => this.#deps.progress.forget(job.id))
      .catch((error) => this.#deps.logger.warn({ err: error, jobId: job.id }, 'job.settleFailed'))
      .finally(() => {
        this.#running.delete(job.id)
        // Jobs that end together are followed by as many.
        if (this.#mayMoreWait) setImmediate(() => this.wake())
      })
    this.#running.set(job.id, { attempt, abort, done })
  }

  async #perform(job: JobWithMetadata<Envelope>, attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { ended, progress } = this.#deps
    const { data, userId } = job.data
    const taken = { id: job.id, data, tries: job.retryCount + 1 }
    const awaited = { jobId: job.id, userId }
    let file = ''
    try {
      await this.#job.handle(taken, {
        signal,
        progress: (done, total) => progress.note(awaited, done, total),
        offer: (url) => {
          file = url
        },
      })
    } catch (error) {
      if (this.#isStopped && signal.aborted) return this.#giveBack(attempt)
      ended(this.queue, true)
      return this.#settle(attempt, signal, () =>
        faultOf(error) === 'short' ? this.#postpone(attempt, error) : this.#fail(attempt, error, awaited),
      )
    }
    ended(this.queue, false)
    await this.#settle(attempt, signal, () => this.#completions.do(attempt))
    await progress.end(awaited, 'done', file)
  }

  /** A job that is not settled would be run again. */
  async #settle({ id: jobId }: Attempt, signal: AbortSignal, write: () => Promise<unknown>): Promise<void> {
    const failed = (error: unknown) => this.#deps.logger.warn({ err: error, jobId }, 'job.settlePostponed')
    await untilStored(write, { signal, failed })
  }

  /** The database is out of space: the try does not count. */
  async #postpone(attempt: Attempt, error: unknown): Promise<void> {
    this.#deps.logger.warn({ err: error, queue: this.queue, jobId: attempt.id }, 'job.postponed')
    await this.#giveBack(attempt, shortRetryS)
    this.#wakeIn(shortRetryS)
  }

  /** The try does not count, and the job is due again. */
  async #giveBack({ id, retryCount }: Attempt, seconds = 0): Promise<void> {
    await sql`update jobs.job set state = 'retry', started_on = null, heartbeat_on = null,
        start_after = greatest(start_after, now() + ${seconds} * interval '1 s')
      where name = ${this.queue} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(
      this.#deps.db,
    )
  }

  async #fail(attempt: Attempt, error: unknown, awaited: AwaitedJob): Promise<void> {
    const { db, boss, logger } = this.#deps
    const { id, retryCount } = attempt
    const waitS = error instanceof JobRefused ? undefined : this.#job.retryS[retryCount]
    const isLast = waitS === undefined
    logger.warn({ err: error, queue: this.queue, jobId: id, tries: retryCount + 1, isLast }, 'job.failed')
    const message = (error instanceof Error ? error.message : String(error)).slice(0, errorCharactersMax)
    const isGivenUp = await withTransaction(db, async (trx) => {
      // The library uses this limit only, and does not support our growing pauses. The limit also decides whether a job
      // whose process is gone continues: while tries are left it is not lowered.
      const limit = isLast ? sql`${retryCount}` : sql`greatest(retry_limit, ${retryCount + 1})`
      await sql`update jobs.job set retry_limit = ${limit}
        where name = ${this.queue} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(
        trx,
      )
      const failed = await boss.fail(this.queue, attempt, { message }, { db: bossDb(trx) })
      // Cancelled meanwhile, or another process has it.
      if (affectedBy(failed) === 0) return false
      if (isLast) await recordGivenUp(trx, this.#job, id, message)
      else await boss.update(this.queue, undefined, { id, startAfter: waitS, db: bossDb(trx) })
      return isLast
    })
    if (isGivenUp) await this.#deps.progress.end(awaited, 'failed')
    if (!isLast) this.#wakeIn(waitS)
  }

  #wakeIn(seconds: number): void {
    if (this.#isStopped) return
    const timer = setTimeout(
      () => {
        this.#retries.delete(timer)
        this.wake()
      },
      seconds * 1_000 + 20,
    )
    this.#retries.add(timer)
  }
}
