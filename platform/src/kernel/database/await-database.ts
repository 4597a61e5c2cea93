import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import type { PostgresConnection } from './connection.ts'
import { checkServer, openDatabase } from './database.ts'
import { isPassing } from './database-fault.ts'

const tryMs = 1_000
const answerMsMax = 3_000
const tellMs = 60_000

/**
 * Waits until a database can be used, without end (rules/operations.md: starting). `setting` names it in messages; `onAway` is
 * called once, if it is not there at once.
 * @throws where waiting does not help, as with a wrong password, with the reason in words
 */
export async function awaitDatabase(
  address: PostgresConnection | string,
  { setting, logger, onAway }: { setting: string; logger: Logger; onAway: () => void },
): Promise<void> {
  const db = openDatabase(address, { poolMax: 1, queryMsMax: answerMsMax })
  const begunAt = performance.now()
  let toldAt: number | undefined
  try {
    for (;;) {
      try {
        await checkServer(db)
        break
      } catch (error) {
        if (!isPassing(error)) {
          const reason = error instanceof Error ? error.message : String(error)
          throw new Error(`The database of ${setting}: ${reason}`, { cause: error })
        }
        if (toldAt === undefined) onAway()
        if (toldAt === undefined || performance.now() - toldAt >= tellMs) {
          logger.warn({ setting, err: error }, 'database.awaited')
          toldAt = performance.now()
        }
      }
      await sleep(tryMs)
    }
    if (toldAt !== undefined)
      logger.info({ setting, waitedMs: Math.round(performance.now() - begunAt) }, 'database.reached')
  } finally {
    // A connection that hangs would hold the start up.
    db.destroy().catch(() => undefined)
  }
}
