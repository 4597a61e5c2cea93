import { SparkplugDatatype } from '@busbar/link'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writableMetric as metric, WriteSite } from '../../../test-support/writes/write-site.ts'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { WritesService } from './writes-service.ts'

const { double } = SparkplugDatatype

const here = new WriteSite()
beforeAll(() => here.start())
afterAll(() => here.site.stop())
beforeEach(() => here.begin())
afterEach(() => here.end())

describe('a platform that was stopped in between', () => {
  test('ends what is older than the time-out at its start, and waits on for what is younger', async () => {
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
    const { facts, gateway, telemetry: store, visits: inside } = here.site.platform
    const service = new WritesService({
      db: here.site.db,
      bus,
      facts,
      logger: silentLogger,
      access: { list: async () => new Map(), listKeys: async () => [] },
      control: inside.control,
      telemetry: store,
      gateway,
      now: () => here.now(),
    })
    await service.start()
    here.cleanups.push(() => service.stop())
    expect((await here.resultOf(old?.id ?? 0)).state).toBe('timedOut')
    const value = { tagId, value: 7, quality: 'good' as const, time: here.now(), receivedAt: here.now() }
    bus.publish('values', { machineId: here.machine.machineId, values: [value] })
    expect((await here.resultOf(young?.id ?? 0)).state).toBe('confirmed')
  })
})
