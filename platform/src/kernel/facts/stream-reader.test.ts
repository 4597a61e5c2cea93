import { createTestDatabase } from '@busbar/testkit'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { recordRightChange } from '../rights/right-changes.ts'
import { StreamReader } from './stream-reader.ts'

test('a read on a silently dead connection does not stop its stream permanently', async () => {
  const database = await createTestDatabase()
  let isDead = false
  const dying: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => (isDead ? new Promise<never>(() => {}) : Promise.resolve(result)),
  }
  const failure = Promise.withResolvers<void>()
  const told: string[] = []
  const reader = new StreamReader<{ id: number; reason: string }>({
    db: database.db.withPlugin(dying),
    stream: { table: 'right_changes', columns: ['id', 'reason'], key: ['id'], orderBy: ['id'] },
    tell: (rows) => told.push(...rows.map(({ reason }) => reason)),
    didFail: () => failure.resolve(),
    silentMsMax: 2_000,
  })
  onTestFinished(async () => {
    await reader.stop()
    await database.drop()
  })
  await reader.start()
  isDead = true
  reader.wake()
  await recordRightChange(database.db, { reason: 'cloud' })
  await failure.promise
  isDead = false
  reader.wake()
  expect(await reader.catchUp(10_000)).toBe(true)
  expect(told).toEqual(['cloud'])
})
