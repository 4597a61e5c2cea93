import { createTestDatabase } from '@busbar/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLocalBus } from '../bus/bus.ts'
import { silentLogger } from '../logger.ts'
import { RightsWatch } from './rights-watch.ts'

test('a read of right_changes that hangs, instead of failing, cuts open connections after 5 s', async () => {
  const database = await createTestDatabase()
  const blind = Promise.withResolvers<string>()
  const bus = createLocalBus(silentLogger)
  const watch = new RightsWatch({ db: database.db, bus, logger: silentLogger })
  watch.subscribe({ changed: () => {}, blind: () => blind.resolve('cut') })
  try {
    await watch.start()
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table right_changes in access exclusive mode`.execute(trx)
      const late = new Promise((resolve) => setTimeout(() => resolve('still open after 20 s'), 20_000))
      bus.publish('rights', {})
      expect(await watch.catchUp()).toBe(false)
      expect(await Promise.race([blind.promise, late])).toBe('cut')
    })
  } finally {
    watch.stop()
    await database.drop()
  }
})
