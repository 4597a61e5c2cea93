import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, withTransaction } from './database.ts'
import { closePools, connectionsMin, openPools, poolNames, splitConnections } from './pools.ts'
import { liftTimeLimits, withoutTimeLimits } from './time-limits.ts'

async function openLimited(transactionMsMax: number) {
  const database = await createTestDatabase({ empty: true })
  const db = openDatabase(database.connection, { transactionMsMax, poolMax: 1 })
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
  })
  return db
}

test('a transaction that was left open, busy or not, is ended', async () => {
  const db = await openLimited(500)
  const busy = withTransaction(db, async (trx) => {
    // Each statement is short, and the pauses are, too.
    for (;;) await sql`select pg_sleep(0.02)`.execute(trx)
  })
  await expect(busy).rejects.toThrow(/transaction timeout|Connection terminated|connection error/)
  // The next one has a connection again.
  await withTransaction(db, (trx) => sql`select 1`.execute(trx))
})

test('a transaction that lifts the limits takes as long as it needs', async () => {
  const db = await openLimited(50)
  await withTransaction(db, async (trx) => {
    await sql.raw(liftTimeLimits).execute(trx)
    await sql`select pg_sleep(0.1)`.execute(trx)
  })
  await db.connection().execute((one) =>
    withoutTimeLimits(
      (statement) => sql.raw(statement).execute(one),
      () => sql`select pg_sleep(0.1)`.execute(one),
    ),
  )
})

test('every pool ends transactions that last too long, and those that wait for their process', async () => {
  const database = await createTestDatabase({ empty: true })
  const pools = openPools(database.connection, splitConnections(connectionsMin))
  onTestFinished(async () => {
    await closePools(pools)
    await database.drop()
  })
  const limits = poolNames.map(async (name) => {
    const { rows } = await sql`select current_setting('transaction_timeout') as lasting,
      current_setting('idle_in_transaction_session_timeout') as waiting`.execute(pools[name])
    return rows[0]
  })
  expect(await Promise.all(limits)).toEqual(poolNames.map(() => ({ lasting: '2min', waiting: '1min' })))
})
