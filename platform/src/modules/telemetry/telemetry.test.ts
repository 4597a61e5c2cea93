import { countLogged, listLogged } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { hourMs, sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { RecordsRefused } from './index.ts'

const store = useStore()

describe('append', () => {
  it('stores every type under its own column and publishes it after the commit', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [
      sample('temp', 21.5),
      sample('count', 9_007_199_254_740_993n),
      sample('on', true),
      sample('recipe', '甜点 🍰'),
    ])
    expect(await store.rowsOf(machineId)).toMatchObject([
      { name: 'temp', num: 21.5, int: null, text: null, quality: 192, late: false },
      { name: 'count', num: null, int: '9007199254740993', text: null },
      { name: 'on', num: null, int: '1', text: null },
      { name: 'recipe', num: null, int: null, text: '甜点 🍰' },
    ])
    expect(store.events.values).toHaveLength(1)
    expect(store.events.values[0]?.values.map(({ value }) => value)).toEqual([
      21.5,
      9_007_199_254_740_993n,
      true,
      '甜点 🍰',
    ])
    expect(store.events.tags).toEqual([{ machineId }])
    expect((await store.latestOf(machineId, 'count'))?.value).toBe(9_007_199_254_740_993n)
  })

  it('gathers many callers into few transactions, each resolved after its commit', async () => {
    const machines = await Promise.all(Array.from({ length: 10 }, () => store.createMachine()))
    await Promise.all(machines.map((id) => store.telemetry.append(id, [sample('n', 0)])))
    const before = store.telemetry.stats().commitSeconds.count
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        store.telemetry.append(machines[index % 10] as number, [
          sample('n', index, { time: store.clock + 1 + index }),
        ]),
      ),
    )
    expect(store.telemetry.stats().commitSeconds.count - before).toBeLessThan(20)
    expect(await countLogged(store.db)).toBe(510)
    expect(store.telemetry.stats().waiting).toBe(0)
  })

  it('has the acknowledged samples in the database', async () => {
    const machineId = await store.createMachine()
    for (let n = 0; n < 20; n++) {
      await store.telemetry.append(machineId, [sample('n', n, { time: store.clock + n })])
      expect(await store.rowsOf(machineId)).toHaveLength(n + 1)
    }
  })

  it('keeps two samples without a time of one millisecond apart', async () => {
    const machineId = await store.createMachine()
    await Promise.all([1, 2, 3].map((n) => store.telemetry.append(machineId, [sample('n', n)])))
    expect((await store.latestOf(machineId, 'n'))?.value).toBe(3)
    expect(new Set((await store.rowsOf(machineId)).map((row) => row.at.getTime())).size).toBe(3)
  })

  it('refuses the impossible records of a message and stores the others', async () => {
    const [good, gone] = await Promise.all([store.createMachine(), store.createMachine()])
    await store.telemetry.append(gone, [sample('n', 1)])
    await store.db.deleteFrom('machines').where('id', '=', gone).execute()
    const results = await Promise.allSettled([
      store.telemetry.append(good, [sample('a', 1)]),
      store.telemetry.append(gone, [sample('another', 1)]),
      store.telemetry.append(good, [sample('b', 2)]),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(RecordsRefused)
    expect((await store.rowsOf(good)).map((row) => row.name)).toEqual(['a', 'b'])
  })

  it('writes a batch once, even when the answer to its commit was lost', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('n', 0, { time: store.clock })])
    const before = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)
    expect(before.rows).toHaveLength(1)
    const appends = Array.from({ length: 200 }, (_, index) =>
      store.telemetry.append(machineId, [
        sample('n', index, { time: store.clock + 1 + index }),
        sample(`t${index}`, 1),
      ]),
    )
    // Ends every connection in the middle of it: a commit may or may not have succeeded.
    const killer = await createTestDatabase({ empty: true })
    for (let round = 0; round < 5; round++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = ${store.databaseName}`.execute(killer.db)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await killer.drop()
    await Promise.all(appends)
    const samples = await listLogged(store.db)
    expect(samples).toHaveLength(401)
    expect(new Set(samples.map(({ tagId, at }) => `${tagId} ${at.getTime()}`)).size).toBe(401)
  })
})

describe('newest values', () => {
  it('are flushed about every second', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [
      sample('a', 1),
      sample('on', true),
      sample('s', 'x'),
      sample('big', 5n),
    ])
    await expect
      .poll(() =>
        store.db
          .selectFrom('tag_latest')
          .select(['num', 'int', 'text', 'quality'])
          .orderBy('tag_id')
          .execute(),
      )
      .toEqual([
        { num: 1, int: null, text: null, quality: 192 },
        { num: null, int: 1, text: null, quality: 192 },
        { num: null, int: null, text: 'x', quality: 192 },
        { num: null, int: 5, text: null, quality: 192 },
      ])
  })

  it('come back after a crash from the samples that were not flushed', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1, { time: store.clock })])
    store.clock += 5000
    await store.telemetry.append(machineId, [
      sample('a', 2, { time: store.clock }),
      sample('b', 7, { time: store.clock }),
    ])
    await store.telemetry.append(machineId, [sample('b', 9, { time: store.clock - hourMs, late: true })])
    store.clock += 1000
    // Another process on the same data, as after a kill: the memory of this one is lost.
    await sql`update sample_log_positions set latest_seq = 0`.execute(store.db)
    await store.db.deleteFrom('tag_latest').execute()
    const other = await store.open()
    try {
      expect((await other.listLatest(machineId)).map((latest) => [latest.value, latest.quality])).toEqual([
        [2, 'stale'],
        [7, 'stale'],
      ])
    } finally {
      await other.stop()
    }
  })
})

it('merges a machine’s attributes', async () => {
  const machineId = await store.createMachine()
  await store.telemetry.append(machineId, [
    { kind: 'attributes', attributes: { model: 'P-100', ip: '10.0.0.1' } },
  ])
  await store.telemetry.append(machineId, [{ kind: 'attributes', attributes: { ip: '10.0.0.2' } }])
  const row = await store.db.selectFrom('machines').select('attributes').executeTakeFirst()
  expect(row?.attributes).toEqual({ model: 'P-100', ip: '10.0.0.2' })
})
