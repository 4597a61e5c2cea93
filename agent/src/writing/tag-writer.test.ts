import { expect, test } from 'vitest'
import { ControllerAway } from '../drivers/driver.ts'
import type { TagValue } from '../tag.ts'
import { passing, settled, setUpMachine } from '../testing/one-controller.ts'

test('a written value is read back immediately and reported whatever the deadband, with the value before', async () => {
  const { machine, state, published } = await setUpMachine([{ deadband: 100 }])
  expect(await machine.write(0, 5, { kind: 'cloud' })).toEqual({ state: 'confirmed', kept: 5, error: '' })
  expect(state.asked).toEqual(['write', 'read'])
  expect(published).toMatchObject([{ tag: 0, value: 5, written: { visit: null, from: 0, to: 5, error: '' } }])
  await machine.write(0, 5, { kind: 'page', visit: null, user: null })
  expect(published[1]).toMatchObject({ value: 5, written: { visit: '', from: 5 } })
})

test('a controller that takes a value over with its next cycle is not called a liar', async () => {
  const { machine, state, clock } = await setUpMachine([{}])
  state.keep = () => 0
  const writing = machine.write(0, 5, { kind: 'cloud' })
  await settled()
  state.values[0] = 5
  expect(await passing(clock, writing)).toEqual({ state: 'confirmed', kept: 5, error: '' })
})

test('a tag that keeps another value is reported as failed, with that value', async () => {
  const { machine, state, clock, published } = await setUpMachine([{ type: 'int16', factor: 0.1 }])
  state.keep = () => 20
  expect(await passing(clock, machine.write(0, 21.5, { kind: 'cloud' }))).toEqual({
    state: 'failed',
    kept: 20,
    error: '',
  })
  expect(published).toMatchObject([{ value: 20, written: { to: 21.5 } }])
})

test('a scaled number rounded to the register’s resolution is confirmed', async () => {
  const { machine, state } = await setUpMachine([{ type: 'int16', factor: 0.1 }])
  state.keep = () => 21.6
  expect(await machine.write(0, 21.55, { kind: 'cloud' })).toMatchObject({ state: 'confirmed', kept: 21.6 })
})

test('a GUID that the controller gives back in capitals is confirmed; another text in capitals is not', async () => {
  const { machine, state, clock } = await setUpMachine([{ type: 'string' }])
  state.keep = (value) => String(value).toUpperCase()
  const guid = '72962b91-fa75-4ae6-8d28-b404dc7daf63'
  expect(await machine.write(0, guid, { kind: 'cloud' })).toMatchObject({ state: 'confirmed' })
  expect(await passing(clock, machine.write(0, 'lot', { kind: 'cloud' }))).toMatchObject({ state: 'failed' })
})

test('a refusal is reported with its words and the current value; an unreachable controller as not asked', async () => {
  const { machine, state, published } = await setUpMachine([{}])
  state.refusal = new Error('illegal data value (Modbus exception 3)')
  expect(await machine.write(0, 5, { kind: 'cloud' })).toEqual({
    state: 'failed',
    kept: 0,
    error: 'illegal data value (Modbus exception 3)',
  })
  expect(published).toMatchObject([
    { value: 0, written: { error: 'illegal data value (Modbus exception 3)' } },
  ])
  state.refusal = new ControllerAway()
  expect(await machine.write(0, 5, { kind: 'cloud' })).toEqual({ refused: 'offline' })
  expect(published).toHaveLength(1)
})

test('a write waits for the poll under way, and never more than a few wait', async () => {
  const { machine, state, clock } = await setUpMachine([{}])
  const poll = Promise.withResolvers<void>()
  state.holdPoll = poll.promise
  clock.advance(1_000)
  await settled()
  const writes = Array.from({ length: 17 }, (_, count) => machine.write(0, count, { kind: 'cloud' }))
  await settled()
  expect(state.asked).toEqual(['poll'])
  poll.resolve()
  const results = await Promise.all(writes)
  expect(state.asked.slice(0, 4)).toEqual(['poll', 'polled', 'write', 'read'])
  expect(results[15]).toMatchObject({ state: 'confirmed', kept: 15 })
  expect(results[16]).toEqual({ refused: 'busy' })
})

test('an agent that stops in the middle of a write reports its result, within a limited time', async () => {
  const { machine, state, published } = await setUpMachine([{}])
  const held = Promise.withResolvers<void>()
  state.holdWrite = held.promise
  void machine.write(0, 5, { kind: 'cloud' })
  await settled()
  const stopped = machine.stop()
  held.resolve()
  await stopped
  expect(published).toMatchObject([{ value: 5, written: { from: 0, to: 5 } }])

  const other = await setUpMachine([{}])
  other.state.holdWrite = new Promise(() => undefined)
  void other.machine.write(0, 5, { kind: 'cloud' })
  await passing(other.clock, other.machine.stop())
})

test('a value outside the tag’s type or range is refused before the controller is asked', async () => {
  const { machine, state } = await setUpMachine([
    { readOnly: true },
    { type: 'bool' },
    { type: 'int16' },
    { type: 'uint16', factor: 0.1, max: 90 },
    { type: 'float32' },
    { type: 'string' },
  ])
  const refused = async (tag: number, value: TagValue) => {
    const result = await machine.write(tag, value, { kind: 'cloud' })
    return 'refused' in result ? result.refused : result.state
  }
  expect(await refused(0, 1)).toBe('readOnly')
  expect([
    await refused(1, 1),
    await refused(2, 1.5),
    await refused(4, Number.NaN),
    await refused(5, 1),
  ]).toEqual(['type', 'type', 'type', 'type'])
  expect([
    await refused(2, 32_768),
    await refused(3, 90.1),
    await refused(3, -0.1),
    await refused(4, 1e300),
    await refused(6, 1),
  ]).toEqual(['range', 'range', 'range', 'range', 'unknownTag'])
  expect(state.asked).toEqual([])
})
