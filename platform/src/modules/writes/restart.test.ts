import { SparkplugDatatype } from '@busbar/link'
import { createMachine } from '@busbar/testkit/builders.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { writableMetric as metric, useWriteSite } from '../../../test-support/writes/write-site.ts'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createAccess } from '../access/index.ts'
import { WritesService } from './writes-service.ts'
import { takeOverWrites } from './writes-store.ts'

const { double } = SparkplugDatatype

const here = useWriteSite()

describe('a platform that was stopped in between', () => {
  test('stores the other outcomes when one cannot be stored, and that one later', async () => {
    const { db, platform } = here.site
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1), metric('other', double, 1)])
    const insert = async (name: string) => {
      const { tagId } = await here.tagOf(name)
      const row = {
        machine_id: here.machine.machineId,
        tag_id: tagId,
        user_id: here.owner.userId,
        source: 'console',
        at: new Date(here.now() - 11_000),
        to_value: '5',
        node_id: 'lonely',
      }
      return await db.insertInto('writes').values(row).returning('id').executeTakeFirstOrThrow()
    }
    const [bad, later, good] = [await insert('sp'), await insert('sp'), await insert('other')]
    let isBroken = true
    let tries = 0
    const service = new WritesService({
      db,
      bus: createLocalBus(silentLogger),
      facts: {
        record: async (trx, fact, aside) => {
          const isBad = 'writeId' in fact && fact.writeId === bad.id
          if (isBad) tries++
          if (isBad && isBroken) throw new Error('it cannot be stored')
          await platform.facts.record(trx, fact, aside)
        },
      },
      logger: silentLogger,
      access: createAccess(db),
      control: platform.visits.control,
      telemetry: platform.telemetry,
      link: platform.link,
      nodeId: 'lonely',
      now: () => here.now(),
    })
    await service.start()
    here.cleanups.push(() => service.stop())
    expect((await here.resultOf(good.id)).state).toBe('timedOut')
    const stateOf = async ({ id }: { id: number }) =>
      (await db.selectFrom('writes').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
    // Two writes to a tag end in the order in which they were made.
    expect([await stateOf(bad), await stateOf(later)]).toEqual(['sent', 'sent'])
    expect(service.stats().unstored).toBe(2)
    isBroken = false
    await expect.poll(() => stateOf(later)).toBe('timedOut')
    expect(await stateOf(bad)).toBe('timedOut')
    // It is not tried at each turn of the clock.
    expect(tries).toBeLessThan(4)
  })

  test('ends writes older than the time-out at its start, and waits on for younger ones', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    const { tagId } = await here.tagOf('sp')
    const row = {
      machine_id: here.machine.machineId,
      tag_id: tagId,
      user_id: here.owner.userId,
      source: 'console',
    }
    const [old, young] = await here.site.db
      .insertInto('writes')
      .values([
        { ...row, at: new Date(here.now() - 11_000), to_value: '5' },
        { ...row, at: new Date(here.now() - 1_000), to_value: '7' },
      ])
      .returning('id')
      .execute()
    const bus = createLocalBus(silentLogger)
    const { facts, link, telemetry: store, visits: inside } = here.site.platform
    const service = new WritesService({
      db: here.site.db,
      bus,
      facts,
      logger: silentLogger,
      access: createAccess(here.site.db),
      control: inside.control,
      telemetry: store,
      link,
      nodeId: 'other',
      now: () => here.now(),
    })
    await service.start()
    here.cleanups.push(() => service.stop())
    expect((await here.resultOf(old?.id ?? 0)).state).toBe('timedOut')
    const value = { tagId, value: 7, quality: 'good' as const, time: here.now(), receivedAt: here.now() }
    here.site.platform.bus.publish('values', { machineId: here.machine.machineId, values: [value] })
    expect((await here.resultOf(young?.id ?? 0)).state).toBe('confirmed')
  })

  test('takes over the open writes of a dead node, and leaves those of a living one', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    const { tagId } = await here.tagOf('sp')
    const row = {
      machine_id: here.machine.machineId,
      tag_id: tagId,
      user_id: here.owner.userId,
      source: 'console',
      at: new Date(here.now()),
    }
    await sql`insert into nodes (id, declared_dead_at)
      values ('living', null), ('dead', now())`.execute(here.site.db)
    const [living, dead] = await here.site.db
      .insertInto('writes')
      .values([
        { ...row, node_id: 'living', to_value: '5' },
        { ...row, node_id: 'dead', to_value: '7' },
      ])
      .returning('id')
      .execute()
    const taken = await takeOverWrites(here.site.db, 'third', true)
    expect(taken.map(({ commandId }) => commandId)).toEqual([dead?.id])
    expect(await takeOverWrites(here.site.db, 'fourth', false)).toEqual([
      expect.objectContaining({ commandId: dead?.id }),
    ])
    const { node_id } = await here.site.db
      .selectFrom('writes')
      .select('node_id')
      .where('id', '=', living?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(node_id).toBe('living')
    await sql`delete from writes where id in (${living?.id}, ${dead?.id})`.execute(here.site.db)
    await sql`delete from nodes where id in ('living', 'dead')`.execute(here.site.db)
  })

  test('leaves the writes of a node that only lost the database, until its machines are offline', async () => {
    const { db, platform } = here.site
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    const { tagId } = await here.tagOf('sp')
    const { machineId } = await createMachine(db)
    await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, node_id)
      values (${machineId}, 'tcp/mqtt', '10.0.0.1', now() - interval '1 min', now(), 'away')`.execute(db)
    const { id } = await db
      .insertInto('writes')
      .values({
        machine_id: here.machine.machineId,
        tag_id: tagId,
        user_id: here.owner.userId,
        source: 'console',
        at: new Date(here.now()),
        node_id: 'away',
        to_value: '5',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { presence } = platform.gateway
    const endAndTake = async () => {
      await presence.endSilent()
      const { ended_at } = await db
        .selectFrom('machine_connections')
        .select('ended_at')
        .where('machine_id', '=', machineId)
        .executeTakeFirstOrThrow()
      const taken = await takeOverWrites(db, 'third', false)
      return { isOffline: ended_at !== null, taken: taken.map(({ commandId }) => commandId) }
    }
    // This node has the database again for less time than it waits for another one.
    await sql`update nodes set steady_since = now() where id = 'main'`.execute(db)
    await sql`insert into nodes (id, heartbeat_at) values ('away', now() - interval '15 s')`.execute(db)
    expect(await endAndTake()).toEqual({ isOffline: false, taken: [] })
    await sql`update nodes set heartbeat_at = now(), steady_since = now() - interval '11 s' where id = 'main'`.execute(
      db,
    )
    expect(await endAndTake()).toEqual({ isOffline: true, taken: [id] })
    await sql`delete from writes where id = ${id}`.execute(db)
    await sql`delete from nodes where id = 'away'`.execute(db)
  })
})
