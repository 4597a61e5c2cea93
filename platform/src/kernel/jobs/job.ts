import type { operator } from '@busbar/contract'
import type { Database } from '../database/database.ts'

/** Operators read a word for each name of the platform; tests have their own. */
type Name<OfPlatform extends string> = OfPlatform | `test.${string}`

/** A queue and the data of its jobs: ids and plain values, never a text or a secret, because operators see them. */
export interface Queue<Data extends object> {
  readonly name: Name<operator.JobQueue>
  /** Only for the compiler. */
  readonly data?: Data
}

/** Names a queue; its handler is declared by the module that owns it. */
export const queueOf = <Data extends object>(name: Queue<Data>['name']): Queue<Data> => ({ name })

/** A job as its handler gets it. */
export interface TakenJob<Data extends object> {
  readonly id: string
  readonly data: Data
  /** The tries so far, this one included. */
  readonly tries: number
}

/** A handler's connection to the person who waits for the job. */
export interface JobRun {
  /** Aborted when the job is cancelled, and when the platform stops: the job is then taken up again after the start. */
  readonly signal: AbortSignal
  /** Reports the progress to the job's person and to operators. */
  progress(done: number, total: number): Promise<void>
  /** Names the file that the person gets when the job is done. */
  offer(url: string): void
}

/** Work that is queued with the data it belongs to and survives a restart. A job runs at least once. */
export interface QueueJob<Data extends object = object> {
  readonly queue: Queue<Data>
  /** Jobs that run at once in a process. */
  readonly concurrency: number
  /** Waits in seconds before the second, third … try; after the last the job has failed. */
  readonly retryS: readonly number[]
  handle(job: TakenJob<Data>, run: JobRun): Promise<void>
  /**
   * Finds rows that need a job and have none: rows from before this queue, and rows of a restored backup, which
   * contains no jobs. Called at the start, under a lock.
   */
  adopt?(trx: Database): Promise<Data[]>
  /** Asked before `adopt` and its transaction, by jobs that may find nothing: what it reads may be in another database. */
  mayAdopt?(): Promise<boolean>
  /** Updates the rows after a cancelling, in the same transaction. */
  cancelled?(trx: Database, data: Data): Promise<void>
  /**
   * Updates the rows after the job failed permanently: its last try failed, or it ended with its process too often.
   * Runs in the transaction that fails it; an operator may still try it once more.
   */
  gaveUp?(trx: Database, data: Data, error: string): Promise<void>
}

/** A run of a clock job. */
export interface ClockRun {
  readonly signal: AbortSignal
  /** The platform's clock at the beginning of this run. */
  readonly now: number
  /** The same of the last run that succeeded, in any process; undefined before the first. */
  readonly previous: number | undefined
}

/** Scheduled work. One process runs it each time, and only one run at a time. */
export interface ClockJob {
  readonly name: Name<operator.ClockJobName>
  readonly everyS: number
  /** Runs at the first start as well, instead of one interval later. */
  readonly atOnce?: boolean
  /** Its module has to be started in the process that runs it; without it any process of the role `jobs` may. */
  readonly needsModule?: boolean
  run(run: ClockRun): Promise<unknown>
}

export type Job = QueueJob | ClockJob

/** Whether a job runs only where its module was started. */
export const needsModule = (job: Job): boolean => 'needsModule' in job && job.needsModule === true

/** Declares a queue's handler; its data is typed by the queue. */
export const queueJob = <Data extends object>(job: QueueJob<Data>): QueueJob => job as unknown as QueueJob

/** Thrown by a handler when another try would end the same. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}
