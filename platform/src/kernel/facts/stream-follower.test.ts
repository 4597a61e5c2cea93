import { createTestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalBus } from '../bus/bus.ts'
import { silentLogger } from '../logger.ts'
import { StreamFollower } from './stream-follower.ts'

test('after a crowd of rows a stream rests, unless somebody waits for it', async () => {
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
