import type { ClientBase } from 'pg'

/** A statement of the platform that takes longer is a fault. */
export const statementMsMax = 60_000
/** A transaction that waits for its process holds locks and keeps vacuum from cleaning. */
export const idleInTransactionMsMax = 60_000
/**
 * A transaction that lasts longer is a fault, even if it is busy: facts are followed up to the oldest open transaction,
 * so it delays every follower, and vacuum too. Backup, restore, migrations, housekeeping of samples and the load test
 * lift it for themselves.
 */
export const transactionMsMax = 120_000

/** Sets the limit; a server before PostgreSQL 17 does not have it. */
const setTransactionLimit = (ms: number, scope: 'session' | 'transaction') =>
  `select set_config('transaction_timeout', '${ms}', ${scope === 'transaction'})
   where current_setting('transaction_timeout', true) is not null`

/** Limits the transactions of a new connection. */
export async function limitTransactions(client: ClientBase, ms: number): Promise<void> {
  await client.query(setTransactionLimit(ms, 'session'))
}

/** SQL, for the begin of a transaction that may take as long as it needs. */
export const liftTimeLimits = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  ${setTransactionLimit(0, 'transaction')}`

/** Does `work` on a connection without limits of time; `run` runs a statement on that connection. */
export async function withoutTimeLimits<T>(
  run: (statement: string) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  await run('set statement_timeout = 0')
  await run(setTransactionLimit(0, 'session'))
  try {
    return await work()
  } finally {
    // A connection that is lost or in an aborted transaction accepts no settings; the error of `work` has the reason.
    await run('reset statement_timeout').catch(() => {})
    await run(setTransactionLimit(transactionMsMax, 'session')).catch(() => {})
  }
}
