import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { notifyKeysOnce } from './key-notices.ts'
import { changeOwner } from './ownership/ownership.ts'

const hourMs = 3_600_000

const site = useSite()

/** Notifies a machine's keys of its tag limit; answers the people notified. */
async function tell(machineId: number, now: number, ownedSince?: number): Promise<number[]> {
  const bus = createLocalBus(silentLogger)
  const told: number[] = []
  bus.subscribe('messages', ({ userIds }) => told.push(...userIds))
  await notifyKeysOnce(
    { db: site.db, bus },
    {
      machineId,
      type: 'tagLimit',
      params: sql`'{"max": 1, "refused": []}'::jsonb`,
      now,
      notAgainWithinMs: hourMs,
      ...(ownedSince === undefined ? {} : { ownedSince }),
    },
  )
  return told
}

test('a notice comes again only after its while', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const now = Date.now()
  expect(await tell(machineId, now)).toEqual([owner.userId])
  expect(await tell(machineId, now + hourMs - 1)).toEqual([])
  expect(await tell(machineId, now + hourMs)).toEqual([owner.userId])
})

test('a notice of one owner’s time is not shown to the next', async () => {
  const [ann, ben] = [await site.createUser(), await site.createUser()]
  const { machineId } = await site.createMachine({ owner: ann.userId })
  const now = Date.now()
  expect(await tell(machineId, now, 0)).toEqual([ann.userId])
  const since = now + 5
  await site.db
    .transaction()
    .execute((trx) => changeOwner({ trx, facts: site.platform.facts }, machineId, ben, new Date(since)))
  expect(await tell(machineId, now + 6, 0)).toEqual([])
  expect(await tell(machineId, now + 6, since)).toEqual([ben.userId])
})
