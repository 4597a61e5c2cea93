import { sql, type Transaction } from 'kysely'
import type { PgBoss } from 'pg-boss'
import { type Database, withTransaction } from '../database/database.ts'
import type { DB } from '../database/schema.gen.ts'
import type { Logger } from '../logger.ts'
import { type Attempt, affectedBy, bossDb, type Envelope } from './boss.ts'
import type { QueueJob } from './job.ts'

const processGone = 'the process that ran it is gone'
const ranTooLong = 'it ran for too long'

const isSilent = sql`heartbeat_on < now() - heartbeat_seconds * interval '1 s'`

/** A running job whose process is gone, or that runs for longer than its queue allows. */
export const isLost = sql<boolean>`state = 'active' and (${isSilent}
  or started_on < now() - expire_seconds * interval '1 s')`

interface LostJobsDeps {
  readonly db: Database
  readonly logger: Logger
}

interface LostJob extends Attempt {
  readonly error: string
}

/** Fails the lost jobs of a queue: each is due again, or given up if it has no tries left. */
export async function failLostJobs(deps: LostJobsDeps, boss: PgBoss, job: QueueJob): Promise<void> {
  const { name } = job.queue
  const { rows } = await sql<LostJob>`
    select id, retry_count as "retryCount",
           case when ${isSilent} then ${processGone} else ${ranTooLong} end as error
      from jobs.job where name = ${name} and ${isLost}`.execute(deps.db)
  for (const { id, retryCount, error } of rows)
    await eachAlone(deps, id, async (trx) => {
      // Only one of several processes that find it fails it.
      const failed = await boss.fail(name, { id, retryCount }, { message: error }, { db: bossDb(trx) })
      if (affectedBy(failed) > 0) await recordGivenUp(trx, job, id, error)
    })
}

/**
 * Jobs that the library's own housekeeping failed between two checks, recognised by the form of their error: they are
 * given up like the others, and operators can read why.
 */
export async function adoptFailedJobs(deps: LostJobsDeps, job: QueueJob): Promise<void> {
  const { name } = job.queue
  const isOfLibrary = sql`name = ${name} and state = 'failed' and output->'value'->>'message' is not null`
  const { rows } = await sql<{ id: string; error: string }>`
    select id, case output->'value'->>'message' when 'job timed out' then ${ranTooLong} else ${processGone} end as error
      from jobs.job where ${isOfLibrary}`.execute(deps.db)
  for (const { id, error } of rows)
    await eachAlone(deps, id, async (trx) => {
      const { numAffectedRows = 0n } = await sql`
        update jobs.job set output = jsonb_build_object('message', ${error}::text)
         where id = ${id} and ${isOfLibrary}`.execute(trx)
      if (numAffectedRows > 0n) await recordGivenUp(trx, job, id, error)
    })
}

/**
 * Notifies the owner of a job that it failed permanently, in the transaction that fails it; not while tries are left.
 */
export async function recordGivenUp(
  trx: Transaction<DB>,
  job: QueueJob,
  id: string,
  error: string,
): Promise<void> {
  if (!job.gaveUp) return
  const { rows } = await sql<{ data: Envelope }>`
    select data from jobs.job where name = ${job.queue.name} and id = ${id} and state = 'failed'`.execute(trx)
  if (rows[0]) await job.gaveUp(trx, rows[0].data.data, error)
}

/** A job that cannot be settled stays as it is until the next run, and does not delay the others. */
async function eachAlone(
  { db, logger }: LostJobsDeps,
  jobId: string,
  settle: (trx: Transaction<DB>) => Promise<void>,
): Promise<void> {
  await withTransaction(db, settle).catch((error) => logger.warn({ err: error, jobId }, 'job.giveUpFailed'))
}
