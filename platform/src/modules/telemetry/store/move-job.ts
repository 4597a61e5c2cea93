import { sql } from 'kysely'
import { type QueueJob, queueJob, queueOf } from '../../../kernel/jobs/index.ts'
import type { RowMover } from './row-mover.ts'

const queue = queueOf('telemetry.rows')
const retryS = [60, 600, 3_600, 6 * 3_600] as const

/** The job that moves the rows of version 1.5: there is one as long as there are such rows. */
export const moveJob = (mover: RowMover): QueueJob =>
  queueJob({
    queue,
    concurrency: 1,
    retryS,
    handle: (_job, run) => mover.run(run),
    mayAdopt: () => mover.isNeeded(),
    async adopt(trx) {
      const { rows } = await sql`select from jobs.job
        where name = ${queue.name} and state in ('created', 'retry', 'active') limit 1`.execute(trx)
      return rows.length > 0 ? [] : [{}]
    },
  })
