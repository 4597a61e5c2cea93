import { expect, test } from 'vitest'
import type { Sample } from '../tag.ts'
import { settled, setUpMachine } from '../testing/one-controller.ts'

test('an alarm is told when it moves, not with every heartbeat, and nobody knows it before it was read', async () => {
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

test('listeners hear every reading that moved, also what is not worth sending', async () => {
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
