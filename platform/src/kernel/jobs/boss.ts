import { CompiledQuery } from 'kysely'
import type { QueryResult } from 'pg'
import type { Db as BossDb, PgBoss } from 'pg-boss'
import { type Database, withClient } from '../database/database.ts'
import type { Logger } from '../logger.ts'

export const jobsSchema = 'jobs'

/** Identifies one try of a job: a try that lost its claim settles nothing. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}

/** Data of a job and its person. */
export interface Envelope {
  readonly data: object
  readonly userId?: number
}

/** Number of jobs that a call settled; the library's declarations lack this field of its answers. */
export const affectedBy = (answer: { affected?: number }): number => answer.affected ?? 0

// Loading it takes a tenth of a second: it is begun while the process waits for its database.
const library = import('pg-boss')
// Callers that await it get the error.
library.catch(() => {})

/**
 * Lets pg-boss work on a handle of ours, or in a transaction on it. Its housekeeping sends several statements as one
 * and reads the rows of all: Kysely returns none of them, so outside a transaction pg is used directly.
 */
export const bossDb = (db: Database): BossDb => ({
  async executeSql(text, values = []) {
    if (db.isTransaction) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows: rows as unknown[] }
    }
    const results: QueryResult | QueryResult[] = await withClient(db, (client) => client.query(text, values))
    return { rows: [results].flat().flatMap(({ rows }) => rows) }
  },
})

/**
 * Opens pg-boss on our own pool. It only keeps the queues: its supervisor, schedules, listeners and registry of
 * instances are off, and each is replaced by something that costs less while nothing is to be done.
 */
export async function openBoss(db: Database, logger: Logger): Promise<PgBoss> {
  const { PgBoss } = await library
  const boss = new PgBoss({
    db: bossDb(db),
    schema: jobsSchema,
    migrate: false,
    supervise: false,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
    reindex: false,
    queueCacheIntervalSeconds: 3_600,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'queue.failed'))
  boss.on('warning', (warning) => logger.warn({ warning: warning.message }, 'queue.warned'))
  return boss.start()
}
