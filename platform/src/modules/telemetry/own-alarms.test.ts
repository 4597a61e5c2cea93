import { hourMs, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { describe, expect, it } from 'vitest'
import type { AlarmRecord } from './index.ts'

const store = useStore()

function alarm(key: string, state: 'raised' | 'cleared', more: Partial<AlarmRecord> = {}): AlarmRecord {
  return {
    kind: 'alarm',
    key,
    level: 'major',
    text: { en: 'Oil pressure low' },
    state,
    isRepeat: false,
    time: undefined,
    late: false,
    ...more,
  }
}

describe('alarms', () => {
  const alarmsOf = () =>
    store.db
      .selectFrom('alarms')
      .select(['key', 'level', 'count', 'raised_at', 'cleared_at'])
      .orderBy('id')
      .execute()
  const listFacts = async () => {
    const rows = await store.db.selectFrom('facts').select('kind').orderBy('id').execute()
    return rows.map(({ kind }) => kind)
  }

  it('are raised, counted while open, cleared and raised anew', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: store.clock - 1000 })])
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: store.clock })])
    expect(await alarmsOf()).toMatchObject([{ key: 'E1', count: 2, cleared_at: null }])
    await store.telemetry.append(machineId, [alarm('E1', 'cleared', { time: store.clock + 1000 })])
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: store.clock + 2000 })])
    expect(await alarmsOf()).toMatchObject([
      { count: 2, cleared_at: new Date(store.clock + 1000) },
      { count: 1, cleared_at: null },
    ])
    expect(await listFacts()).toEqual(['alarm.raised', 'alarm.counted', 'alarm.cleared', 'alarm.raised'])
  })

  it('are the same when the message comes twice or a birth repeats them', async () => {
    const machineId = await store.createMachine()
    const raised = alarm('E1', 'raised', { time: store.clock })
    await store.telemetry.append(machineId, [raised])
    await store.telemetry.append(machineId, [raised])
    await store.telemetry.append(machineId, [
      alarm('E1', 'raised', { time: store.clock + 500, isRepeat: true }),
    ])
    expect(await alarmsOf()).toMatchObject([{ count: 1 }])
    expect(await listFacts()).toEqual(['alarm.raised'])
    await store.telemetry.append(machineId, [alarm('E1', 'cleared', { time: store.clock + 1000 }), raised])
    expect(await alarmsOf()).toMatchObject([{ count: 1, cleared_at: new Date(store.clock + 1000) }])
  })

  it('do not count up when the machine reports the ones that stand as it comes back', async () => {
    const machineId = await store.createMachine()
    const since = store.clock
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: since })])
    // With the time of its raising, as plain JSON and HTTP do, and as a birth of Sparkplug with the present time.
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: since })])
    const birth = { time: since + hourMs, isRepeat: true }
    await store.telemetry.append(machineId, [alarm('E1', 'raised', birth)])
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: since })])
    expect(await alarmsOf()).toMatchObject([{ key: 'E1', count: 1, cleared_at: null }])
    expect(await listFacts()).toEqual(['alarm.raised'])
  })

  it('are not ended by the end of an earlier time, sent late after an outage', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [alarm('E1', 'raised', { time: store.clock, isRepeat: true })])
    const past = { late: true, time: store.clock - hourMs }
    await store.telemetry.append(machineId, [alarm('E1', 'raised', past), alarm('E1', 'cleared', past)])
    expect(await alarmsOf()).toMatchObject([
      { count: 1, cleared_at: null },
      { cleared_at: new Date(past.time) },
    ])
    await store.telemetry.append(machineId, [
      alarm('E1', 'cleared', { late: true, time: store.clock + 1000 }),
    ])
    expect(await alarmsOf()).toMatchObject([{ cleared_at: new Date(store.clock + 1000) }, {}])
  })
})
