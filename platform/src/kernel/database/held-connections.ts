import { AsyncLocalStorage } from 'node:async_hooks'
import type { Logger } from '../logger.ts'

/** A connection that the running code holds. */
interface Hold {
  readonly database: string
  /** The hold that it was taken within. */
  readonly outer: Hold | undefined
  /** Code that was begun in between, and was not waited for, keeps the hold in its context. */
  isOver: boolean
}

const holds = new AsyncLocalStorage<Hold | undefined>()

/** Asked a database for a connection while holding one of it. */
export class SecondConnection extends Error {
  override readonly name = 'SecondConnection'
}

const framesMax = 40
/** A place that asks for a second connection does it with each of its calls. */
const logEveryMs = 60_000

/**
 * Runs work that holds a connection of `database`. Within it `findSecondConnection` finds whoever asks for another one of
 * the same database, from whichever pool: enough of them at once would hold all connections of a pool, and each of them
 * would wait for one more (rules/operations.md: connections).
 */
export async function holding<T>(database: string, work: () => Promise<T>): Promise<T> {
  const within = holds.getStore()
  const hold: Hold = { database, outer: within?.isOver ? undefined : within, isOver: false }
  try {
    return await holds.run(hold, work)
  } finally {
    hold.isOver = true
  }
}

/** The error of code that asks `database` for a connection now, if it holds one of it; its stack names the place. */
export function findSecondConnection(database: string): SecondConnection | undefined {
  for (let hold = holds.getStore(); hold; hold = hold.outer) {
    if (!hold.isOver && hold.database === database) return makeError()
  }
  return undefined
}

/** Begins work that nobody waits for, so that it may take its own connections while the caller holds one. */
export const withoutHolds = <T>(begin: () => T): T => holds.run(undefined, begin)

/** Logs the first of them, and of those that follow one each minute. */
export function logSecondConnections(logger: Pick<Logger, 'error'>): (error: SecondConnection) => void {
  let quietUntil = 0
  let unlogged = 0
  return (err) => {
    const now = performance.now()
    if (now < quietUntil) {
      unlogged++
      return
    }
    logger.error({ err, unlogged }, 'database.secondConnection')
    quietUntil = now + logEveryMs
    unlogged = 0
  }
}

function makeError(): SecondConnection {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = framesMax
  const error = new SecondConnection('Within a transaction, another connection was asked for.')
  Error.stackTraceLimit = stackTraceLimit
  return error
}
