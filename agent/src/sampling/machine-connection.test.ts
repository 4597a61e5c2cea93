import { Quality } from '@busbar/link'
import { expect, test } from 'vitest'
import type { Reading, Sample } from '../tag.ts'
import { buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { settled, setUpMachine } from '../testing/one-controller.ts'
import { MachineConnection } from './machine-connection.ts'

test('an alarm is sent when it changes, not with every heartbeat, and is unknown before the first reading', async () => {
  const alarm = { id: 'E1', level: 'major' as const, text: { en: 'Trouble' } }
  const { machine, state, clock, published } = await setUpMachine([
    { type: 'bool', alarm, heartbeatMs: 1_000 },
  ])
  expect(machine.alarms()).toEqual([{ ...alarm, tag: 0, raised: false, since: null }])
  const polled = async (value: boolean) => {
    state.values[0] = value
    clock.advance(1_000)
    await settled()
  }
  await polled(true)
  const since = clock.now()
  await polled(true)
  await polled(false)
  expect(published.map((sample) => [sample.value, sample.alarmMoved])).toEqual([
    [true, true],
    [true, undefined],
    [false, true],
  ])
  expect(machine.alarms()).toMatchObject([{ raised: false, since: since + 2_000 }])
})

test('a uint64 that the cloud stores as a bad value is logged once for each tag', async () => {
  const { state, clock, published, logged } = await setUpMachine([{ type: 'uint64' }, { type: 'uint64' }])
  const polled = async (...values: bigint[]) => {
    state.values = values
    clock.advance(1_000)
    await settled()
  }
  await polled(2n ** 63n - 1n, 0n)
  expect(logged).toEqual([])
  await polled(2n ** 63n, 1n)
  await polled(2n ** 63n + 1n, 2n ** 64n - 1n)
  expect(published.at(-1)).toMatchObject({ value: 2n ** 64n - 1n })
  expect(logged).toEqual([
    ['tag.tooLarge', { tag: 'tag 0', value: '9223372036854775808' }],
    ['tag.tooLarge', { tag: 'tag 1', value: '18446744073709551615' }],
  ])
})

test('listeners get every changed reading, also those not worth sending', async () => {
  const { machine, state, clock, published } = await setUpMachine([{ deadband: 10 }, {}])
  const heard: Sample[] = []
  const stop = machine.subscribe((samples) => heard.push(...samples))
  state.values[0] = 1
  clock.advance(1_000)
  await settled()
  expect([heard.length, published.length]).toEqual([1, 0])
  expect(heard[0]).toMatchObject({ tag: 0, value: 1 })
  stop()
  state.values[0] = 2
  clock.advance(1_000)
  await settled()
  expect(heard).toHaveLength(1)
})

test('readings that a controller sends without a poll are passed on between two polls, and stop at the end', async () => {
  const clock = new ManualClock()
  let push: (readings: readonly Reading[]) => void = () => undefined
  const reading = (value: number): Reading => ({ index: 0, value, quality: Quality.good })
  const told: unknown[] = []
  const connection = new MachineConnection({
    driver: {
      poll: async () => [reading(1)],
      read: async () => reading(1),
      write: async () => undefined,
      subscribe: (onReadings) => {
        push = onReadings
      },
      close: async () => undefined,
    },
    tags: [buildTag()],
    firstTag: 0,
    pollIntervalMs: 1_000,
    clock,
    onOffered: ({ due }) => told.push(...due.map(({ value }) => value)),
  })
  await connection.firstPoll
  push([reading(2), reading(3)])
  expect(told).toEqual([1, 2, 3])
  await connection.stop()
  push([reading(4)])
  expect(told).toEqual([1, 2, 3])
})
