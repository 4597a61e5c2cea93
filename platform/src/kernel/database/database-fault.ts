/**
 * The meaning of an error for the database.
 * - `away`: the database cannot be reached, or it undid the transaction. The same work may be tried again at once.
 * - `lost`: an open connection ended. The work may be committed, and it may have been the cause.
 * - `locked`: another transaction holds a row for longer than this one waits.
 * - `short`: it is out of space or memory, or may not write. The same work succeeds once that is mended.
 * - `slow`: a statement took longer than it may: the database is busy, or the work too large.
 * - `none`: the work itself is at fault, and fails again.
 */
export type DatabaseFault = 'away' | 'lost' | 'locked' | 'short' | 'slow' | 'none'

/** SQLSTATEs that are more specific than their class. */
const faultOfState: Readonly<Record<string, DatabaseFault>> = {
  '57P01': 'away', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'away', // cannot_connect_now: starting up, or replaying its log
  '53300': 'away', // too_many_connections
  '40001': 'away', // serialization_failure
  '40P01': 'away', // deadlock_detected
  '55P03': 'locked', // lock_not_available
  '57014': 'slow', // query_canceled
  '25006': 'short', // read_only_sql_transaction
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ECONNREFUSED: 'away',
  ETIMEDOUT: 'away',
  ENOTFOUND: 'away', // the name server has no answer now
  EAI_AGAIN: 'away',
  EHOSTUNREACH: 'away',
  EHOSTDOWN: 'away',
  ENETUNREACH: 'away',
}

/** SQLSTATE classes of errors that the database causes, and not the work. */
const faultOfClass: Readonly<Record<string, DatabaseFault>> = {
  '08': 'lost', // connection exception
  '40': 'short', // transaction rollback
  '53': 'short', // insufficient resources
  '55': 'short', // object not in prerequisite state
  '57': 'short', // operator intervention
  '58': 'short', // system error
}

/** Messages of `pg` and its pool that have no code. */
const lostText = /Connection terminated|not queryable|Query read timeout/
const awayText =
  /timeout exceeded when trying to connect|the database system is (starting up|shutting down|in recovery mode)/

/** The meaning of an error for the database, by its code, its text and its causes. */
export function faultOf(error: unknown): DatabaseFault {
  if (!(error instanceof Error)) return 'none'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = faultOfState[code]
  if (known) return known
  if (/^[0-9A-Z]{5}$/.test(code)) return faultOfClass[code.slice(0, 2)] ?? 'none'
  // The socket's file is away while the server starts again.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return 'away'
  if (lostText.test(error.message)) return 'lost'
  if (awayText.test(error.message)) return 'away'
  const parts = error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause]
  return parts.map(faultOf).find((fault) => fault !== 'none') ?? 'none'
}

/**
 * Whether the database was away, so that the same work may be tried again at once: restarts and lost connections,
 * deadlocks and serialization failures. After a lost connection the transaction may have been committed: repeat only
 * work that may run twice.
 */
export function isRetryable(error: unknown): boolean {
  const fault = faultOf(error)
  return fault === 'away' || fault === 'lost'
}

/**
 * Whether the database is at fault and not the work: the write is kept and tried again until it succeeds. Every other
 * error is final.
 */
export const isPassing = (error: unknown): boolean => faultOf(error) !== 'none'
