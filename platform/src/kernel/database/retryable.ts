/** SQLSTATEs after which the same work may be tried again on another connection. */
const retryableStates = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, or replaying its log
  '53300', // too_many_connections
  '40001', // serialization_failure
  '40P01', // deadlock_detected
])

const retryableCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT'])

/** What `pg` and its pool say without a code when the connection is gone or could not be had. */
const retryableText =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|the database system is (starting up|shutting down|in recovery mode)/

/**
 * Whether the database was away, so that the same work may be tried again: restarts and lost connections, deadlocks
 * and serialization failures. A lost connection leaves open whether the transaction was committed: try again only
 * what is safe to do twice.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isRetryable)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (retryableStates.has(code) || retryableCodes.has(code)) return true
  // Class 08 is "connection exception".
  if (/^08[0-9A-Z]{3}$/.test(code)) return true
  // The socket's file is away while the server starts again.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  if (retryableText.test(error.message)) return true
  return error.cause !== undefined && isRetryable(error.cause)
}
