import {
  createHolder,
  createMachine,
  createTestDatabase,
  createUser,
  startTestPlatform,
  startTestPlatformOn,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Inside } from '../../../test-support/visit-host/inside.ts'
import { Station } from '../../../test-support/visit-host/station.ts'
import { qualityNumber } from '../../modules/telemetry/index.ts'
import { openDatabase, withClient } from './database.ts'
import { closePools, connectionsMin, openPools, splitConnections } from './pools.ts'

const hangingCount = 48
const lockNumber = 71_301

test('48 hanging queries delay neither a visit decision nor a commit', async () => {
  const site = await startTestPlatform()
  onTestFinished(() => site.stop())
  const beside = openDatabase(site.connection, { poolMax: 2 })
  onTestFinished(() => beside.destroy())
  const owner = await createUser(site.db)
  const machine = await createMachine(site.db, { owner: owner.userId })
  const visitor = await createHolder(site.db, machine.machineId, { role: 'visitor' })
  const station = await Station.open(site, machine)
  onTestFinished(() => station.close())
  const inside = await Inside.enter(site, visitor, station)
  expect((await inside.client.request('/before')).status).toBe(200)

  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = beside.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(trx)
    held.resolve()
    await released.promise
  })
  await held.promise
  const hanging = Array.from({ length: hangingCount }, () =>
    sql`select pg_advisory_lock_shared(${lockNumber}), pg_advisory_unlock_shared(${lockNumber})`.execute(
      site.db,
    ),
  )
  try {
    const { userId } = visitor
    await beside.insertInto('right_changes').values({ user_id: userId, reason: 'test' }).execute()
    site.platform.bus.publish('rights', {})
    expect((await inside.client.request('/decided')).status).toBe(200)
    expect(inside.station.asked).toContain('/decided')
    const record = {
      kind: 'sample',
      group: '',
      tag: 'kept',
      type: 'float64',
      value: 1,
      quality: qualityNumber.good,
      time: undefined,
      late: false,
    } as const
    await site.platform.telemetry.append(machine.machineId, [record])
  } finally {
    released.resolve()
    await holding
    await Promise.all(hanging)
  }
})

describe('connections are shared so that', () => {
  test.each([8, 12, 20, 50, 200])('every pool has one of %i, and none is left over', (count) => {
    const sizes = splitConnections(count)
    expect(Math.min(...Object.values(sizes))).toBeGreaterThan(0)
    expect(Object.values(sizes).reduce((sum, size) => sum + size)).toBe(count + sizes.node)
    expect(sizes.commits).toBeLessThanOrEqual(3)
  })

  test('fewer than every pool needs are refused', () => {
    expect(() => splitConnections(connectionsMin - 1)).toThrow(RangeError)
  })
})

test('a connection that goes silent is given up: the next read of rights is answered', async () => {
  const site = await startTestPlatform()
  onTestFinished(() => site.stop())
  const pools = openPools(site.connection, splitConnections(connectionsMin))
  onTestFinished(() => closePools(pools))
  await expect(sql`select pg_sleep(30)`.execute(pools.watch)).rejects.toThrow('Query read timeout')
  const ask = () =>
    sql<{ one: number }>`select 1 as one`.execute(pools.watch).then(
      ({ rows }) => rows[0]?.one,
      () => undefined,
    )
  await expect.poll(ask).toBe(1)
})

/** Connections to a database, counted from another one. */
async function countConnections(name: string): Promise<number> {
  const beside = await createTestDatabase({ empty: true })
  onTestFinished(() => beside.drop())
  const { rows } = await sql`select from pg_stat_activity where datname = ${name}`.execute(beside.db)
  return rows.length
}

test('a pool that only lent its connections was left open by destroy()', async () => {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.drop())
  await withClient(database.db, (client) => client.query('select 1'))
  await database.db.destroy()
  expect(await countConnections(database.connection.database)).toBe(0)
})

test('connections remained after the stop of a platform that had just started', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const site = await startTestPlatformOn(database, {})
  await site.stop()
  await database.db.destroy()
  expect(await countConnections(database.connection.database)).toBe(0)
})
