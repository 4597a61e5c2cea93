import { expect, test } from 'vitest'
import { buildTag } from '../../testing/builders.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { Signal } from './signal.ts'
import { numberAsType, signalNumber } from './signal.ts'
import { createSimulatedDriver } from './simulated-driver.ts'

const middle = () => 0.5

test('each kind of signal', () => {
  const sine: Signal = { kind: 'sine', min: 20, max: 80, periodMs: 4_000 }
  expect([0, 1_000, 2_000, 3_000].map((ms) => Math.round(signalNumber(sine, ms, null, middle)))).toEqual([
    50, 80, 50, 20,
  ])
  const square: Signal = { kind: 'square', low: 1, high: 9, periodMs: 1_000 }
  expect([0, 499, 500, 999, 1_000].map((ms) => signalNumber(square, ms, null, middle))).toEqual([
    9, 9, 1, 1, 9,
  ])
  const counter: Signal = { kind: 'counter', start: 100, step: 5, periodMs: 1_000 }
  expect([0, 999, 1_000, 3_500].map((ms) => signalNumber(counter, ms, null, middle))).toEqual([
    100, 100, 105, 115,
  ])
  const walk: Signal = { kind: 'randomWalk', min: 0, max: 10, start: 5, step: 2 }
  expect(signalNumber(walk, 0, null, () => 1)).toBe(5)
  expect(signalNumber(walk, 0, 5, () => 1)).toBe(7)
  expect(signalNumber(walk, 0, 9.5, () => 1)).toBe(10)
  expect(signalNumber(walk, 0, 0.5, () => 0)).toBe(0)
})

test('a number becomes what its type can hold', () => {
  expect(numberAsType(40_000, 'int16')).toBe(32_767)
  expect(numberAsType(-1, 'uint16')).toBe(0)
  expect(numberAsType(2.5, 'int64')).toBe(3n)
  expect(numberAsType(0.1, 'float32')).toBe(0.1)
  expect(numberAsType(0, 'bool')).toBe(false)
  expect(numberAsType(0.2, 'bool')).toBe(true)
})

test('the driver follows the clock and applies factors', async () => {
  const clock = new ManualClock()
  const signal: Signal = { kind: 'counter', start: 3, step: 1, periodMs: 1_000 }
  const tags = [
    { ...buildTag({ type: 'int64' }), signal },
    { ...buildTag({ type: 'uint16', factor: 0.1 }), signal },
  ]
  const driver = createSimulatedDriver({ tags }, clock, middle)
  expect((await driver.poll()).map((reading) => reading.value)).toEqual([3n, 0.3])
  clock.advance(2_000)
  expect((await driver.poll()).map((reading) => reading.value)).toEqual([5n, 0.5])
})
