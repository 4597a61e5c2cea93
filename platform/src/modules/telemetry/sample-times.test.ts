import { hourMs, minuteMs, sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { describe, expect, it } from 'vitest'

const store = useStore()

describe('time and truth', () => {
  it('stores a live sample of a wrong clock at its arrival, uncertain, and moves latest', async () => {
    const machineId = await store.createMachine()
    for (const [tag, time] of [
      ['old', store.clock - 6 * minuteMs],
      ['ahead', store.clock + 6 * minuteMs],
      ['unset', Date.UTC(1999, 11, 31)],
      ['far', store.clock + 30 * hourMs],
    ] as const) {
      await store.telemetry.append(machineId, [sample(tag, 1, { time })])
      expect(await store.latestOf(machineId, tag)).toMatchObject({ time: store.clock, quality: 'uncertain' })
    }
    await store.telemetry.append(machineId, [sample('fine', 1, { time: store.clock - 4 * minuteMs })])
    expect(await store.latestOf(machineId, 'fine')).toMatchObject({
      time: store.clock - 4 * minuteMs,
      quality: 'good',
    })
  })

  it('fills history with late samples, and does not move latest', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1, { time: store.clock })])
    await store.telemetry.append(machineId, [
      sample('a', 2, { time: store.clock - 30 * 24 * hourMs, late: true }),
      sample('a', 3, { time: store.clock + 1, late: true }),
      sample('a', 4, { time: store.clock - 200 * 24 * hourMs, late: true }),
    ])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 1 })
    expect((await store.rowsOf(machineId)).map((row) => [row.num, row.late])).toEqual([
      [4, true],
      [2, true],
      [1, false],
      [3, true],
    ])
  })

  it('moves latest only forward', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1, { time: store.clock })])
    await store.telemetry.append(machineId, [sample('a', 2, { time: store.clock - minuteMs })])
    await store.telemetry.append(machineId, [sample('a', 3, { time: store.clock - 1 })])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 1, time: store.clock })
    expect(store.events.values).toHaveLength(1)
  })

  it('is not held up by values of a time when the platform’s own clock was hours ahead', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1), sample('b', 1)])
    store.clock += 3 * hourMs
    await store.telemetry.append(machineId, [sample('a', 2), sample('b', 2)])
    const [tag] = await store.telemetry.listTags(machineId, 'en')
    await store.telemetry.sparks([tag?.tagId ?? 0])
    store.telemetry.markStale(machineId)
    store.clock -= 3 * hourMs - 1_000
    await store.telemetry.append(machineId, [sample('a', 3, { time: store.clock })])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({
      value: 3,
      time: store.clock,
      quality: 'good',
    })
    expect(await store.latestOf(machineId, 'b')).toMatchObject({ value: 2, quality: 'stale' })
    expect((await store.telemetry.sparks([tag?.tagId ?? 0])).get(tag?.tagId ?? 0)?.at(-1)).toBe(2)
    await store.restart()
    expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 3 })
  })

  it('reads as stale after the machine went, until fresh values come', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1), sample('b', 2)])
    store.clock += 1000
    store.telemetry.markStale(machineId)
    expect(store.events.values.at(-1)?.values.map((value) => value.quality)).toEqual(['stale', 'stale'])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 1, quality: 'stale' })
    store.clock += 1000
    await store.telemetry.append(machineId, [sample('a', 5)])
    expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: 5, quality: 'good' })
    expect(await store.latestOf(machineId, 'b')).toMatchObject({ value: 2, quality: 'stale' })
  })

  it('values of a group are stale from the time its device went, not from that of the message', async () => {
    const machineId = await store.createMachine()
    const value = (group: string, number: number) => ({
      ...sample('a', number, { time: store.clock }),
      group,
    })
    await store.telemetry.append(machineId, [value('plc', 1), value('plc/oven', 2), value('other', 3)])
    const takenAt = store.clock
    store.clock += minuteMs
    store.telemetry.markStale(machineId, 'plc', store.clock - 1_000)
    const told = () =>
      store.telemetry.listLatest(machineId).then((values) => values.map(({ value: _, ...rest }) => rest))
    const gone = { quality: 'stale', time: store.clock - 1_000 }
    const there = { quality: 'good', time: takenAt }
    expect(await told()).toMatchObject([gone, gone, there])
    // A wrong clock is not believed, also in the next message.
    for (const wrong of [store.clock - hourMs, store.clock + hourMs, 0]) {
      store.telemetry.markStale(machineId, 'plc', wrong)
      expect((await told())[0]).toMatchObject({ quality: 'stale', time: store.clock })
    }
    store.telemetry.markStale(machineId, 'plc', store.clock + 4 * minuteMs)
    store.clock += 1_000
    await store.telemetry.append(machineId, [value('plc', 5)])
    expect((await told())[0]).toMatchObject({ quality: 'good', time: store.clock })
    store.telemetry.markStale(machineId)
    expect((await told())[0]).toMatchObject({ quality: 'stale', time: store.clock })
  })
})
