import { telemetry as contract } from '@busbar/contract'
import { createMachine, createUser, startTestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Logger, silentLogger } from '../../kernel/logger.ts'

const at = Date.UTC(2026, 10, 20, 12)

test('histories went on after the caller left, and the next one of the same person waited for them', async () => {
  const errors: unknown[] = []
  const logger: Logger = { ...silentLogger, error: (fields) => void errors.push(fields) }
  const site = await startTestPlatform({}, { logger })
  onTestFinished(() => site.stop())
  const owner = await createUser(site.db)
  const { machineId } = await createMachine(site.db, { owner: owner.userId })
  const row = { machine_id: machineId, group_name: '', name: 'pressure', type: 'float64' }
  const { id } = await site.db.insertInto('tags').values(row).returning('id').executeTakeFirstOrThrow()
  const client = site.as(owner)
  const history = (to: number, signal?: AbortSignal) =>
    client.call(contract.getHistory, { tagIds: [id], from: at, to, agg: 'auto' }, signal)

  await site.db.transaction().execute(async (trx) => {
    // The database is silent until the end of this transaction.
    await sql`lock table sample_chunks in access exclusive mode`.execute(trx)
    const leaving = new AbortController()
    // One of them runs, and the other waits for a place.
    const abandoned = [1, 2].map((minutes) => history(at + minutes * 60_000, leaving.signal))
    const ends = Promise.allSettled(abandoned)
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks
        where relation = 'sample_chunks'::regclass and not granted`.execute(trx)
      return rows[0]?.count
    }
    await expect.poll(countWaiting).toBe(1)
    leaving.abort()
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    // It reads no samples, but needs a place.
    expect((await history(at)).series).toMatchObject([{ tagId: id, points: [] }])
  })
  expect((await history(at + 60_000)).series).toMatchObject([{ tagId: id, points: [] }])
  expect(errors).toEqual([])
})
