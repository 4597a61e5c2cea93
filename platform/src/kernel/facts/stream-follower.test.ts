import { createTestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalBus } from '../bus/bus.ts'
import { silentLogger } from '../logger.ts'
import { StreamFollower } from './stream-follower.ts'

test('after a large read a stream rests, unless somebody waits for it', async () => {
  // Without the look every 500 ms.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, drop } = await createTestDatabase()
  const bus = createLocalBus(silentLogger)
  const reads: number[] = []
  const follower = new StreamFollower<{ id: number }>({
    db,
    bus,
    topic: 'rights',
    stream: { table: 'right_changes', columns: ['id'], key: ['id'], orderBy: ['id'] },
    tell: (rows) => reads.push(rows.length),
    didFail: () => {},
    crowdRestMs: 600_000,
  })
  onTestFinished(async () => {
    await follower.stop()
    await drop()
  })
  await follower.start()
  const record = async (count: number) => {
    await sql`insert into right_changes (reason) select 'cloud' from generate_series(1, ${count}::int)`.execute(
      db,
    )
    bus.publish('rights', {})
  }
  await record(1)
  await expect.poll(() => reads).toEqual([1])
  await record(50)
  await expect.poll(() => reads).toEqual([1, 50])
  for (let count = 0; count < 10; count++) await record(1)
  expect(reads).toEqual([1, 50])
  expect(await follower.catchUp(10_000)).toBe(true)
  expect(reads).toEqual([1, 50, 10])
})

test('a stream that somebody waits for is read at once, others are gathered', async () => {
  // Fake timers: no wait ends by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, drop } = await createTestDatabase()
  const bus = createLocalBus(silentLogger)
  const reads: number[] = []
  const follower = new StreamFollower<{ id: number }>({
    db,
    bus,
    topic: 'facts',
    stream: { table: 'right_changes', columns: ['id'], key: ['id'], orderBy: ['id'] },
    tell: (rows) => reads.push(rows.length),
    didFail: () => {},
  })
  onTestFinished(async () => {
    await follower.stop()
    await drop()
  })
  await follower.start()
  const record = () => sql`insert into right_changes (reason) values ('cloud')`.execute(db)
  await record()
  bus.publish('facts', {})
  await sql`select pg_sleep(0.05)`.execute(db)
  expect(reads).toEqual([])
  await record()
  bus.publish('facts', { atOnce: true })
  for (let look = 0; reads.length === 0 && look < 2_000; look++) await sql`select pg_sleep(0.01)`.execute(db)
  expect(reads).toEqual([2])
})
