import { useDatabase } from '@busbar/testkit/test-site.ts'
import { calmMsOf } from '@busbar/testkit/until.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { stall } from '../../../test-support/processes/stall.ts'
import { createLocalBus } from '../bus/bus.ts'
import { startDeadline } from '../deadline.ts'
import { silentLogger } from '../logger.ts'
import { RightsWatch } from './rights-watch.ts'

const site = useDatabase()

async function openWatch() {
  const watch = new RightsWatch({ db: site.db, bus: createLocalBus(silentLogger), logger: silentLogger })
  const told: string[] = []
  const blind = Promise.withResolvers<void>()
  watch.subscribe({ changed: ({ reason }) => told.push(reason), blind: () => blind.resolve() })
  await watch.start()
  onTestFinished(() => watch.stop())
  return { watch, told, blind: blind.promise }
}

test('a process that stalled for 7 s is not blind: it reads before anything is relayed', async () => {
  const { watch, told, blind } = await openWatch()
  let isBlind = false
  void blind.then(() => {
    isBlind = true
  })
  await site.db.insertInto('right_changes').values({ reason: 'while it stalled' }).execute()
  stall(7_000)
  expect(watch.isAwake()).toBe(false)
  expect(watch.isFresh()).toBe(false)
  expect(told).toEqual([])
  expect(await watch.whenFresh()).toBe(true)
  expect(told).toEqual(['while it stalled'])
  expect(watch.isAwake()).toBe(true)
  expect(watch.stalls).toBe(1)
  expect(isBlind).toBe(false)
})

test('after a stall rights that cannot be read for a second leave the process blind', async () => {
  const { watch, blind } = await openWatch()
  await site.db.transaction().execute(async (trx) => {
    await sql`lock table right_changes in access exclusive mode`.execute(trx)
    stall(1_500)
    expect(watch.isAwake()).toBe(false)
    const tookMs = await calmMsOf(async () => {
      expect(await watch.whenFresh()).toBe(false)
      await blind
    })
    expect(tookMs).toBeLessThan(4_000)
  })
  await expect.poll(() => watch.whenFresh()).toBe(true)
})

test('a deadline leaves the time out in which the process stalled', async () => {
  const order: string[] = []
  const late = Promise.withResolvers<void>()
  startDeadline(400, () => {
    order.push('late')
    late.resolve()
  })
  const answer = sql`select 1`.execute(site.db).then(() => order.push('answered'))
  stall(1_500)
  await Promise.all([answer, late.promise])
  expect(order).toEqual(['answered', 'late'])
})
