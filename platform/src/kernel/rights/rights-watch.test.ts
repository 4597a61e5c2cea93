import { useDatabase } from '@busbar/testkit/test-site.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalBus } from '../bus/bus.ts'
import { silentLogger } from '../logger.ts'
import { RightsWatch } from './rights-watch.ts'

const site = useDatabase()

/** A watch that follows from here on; `told` are the delivered reasons, in that order. */
async function openWatch() {
  const watch = new RightsWatch({ db: site.db, bus: createLocalBus(silentLogger), logger: silentLogger })
  const told: string[] = []
  watch.subscribe({ changed: ({ reason }) => told.push(reason), blind: () => undefined })
  await watch.start()
  onTestFinished(() => watch.stop())
  return told
}

const write = (reason: string) => site.db.insertInto('right_changes').values({ reason }).execute()
const deadline = { timeout: 10_000 }

test('a change that commits after later ones is delivered, and each is delivered once', async () => {
  await write('before the start')
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const slow = site.db.transaction().execute(async (trx) => {
    await trx.insertInto('right_changes').values({ reason: 'slow' }).execute()
    begun.resolve()
    await rest.promise
  })
  await begun.promise
  const told = await openWatch()
  await write('first')
  await expect.poll(() => told, deadline).toEqual(['first'])
  await write('second')
  await expect.poll(() => told, deadline).toEqual(['first', 'second'])
  rest.resolve()
  await slow
  await expect.poll(() => told, deadline).toEqual(['first', 'second', 'slow'])
  await write('third')
  await expect.poll(() => told, deadline).toEqual(['first', 'second', 'slow', 'third'])
})
