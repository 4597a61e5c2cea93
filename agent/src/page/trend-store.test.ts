import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import type { MemoryMachine } from '../testing/memory-machine.ts'
import { createMemoryMachine } from '../testing/memory-machine.ts'
import { pageTimes, trendPoints } from './page-limits.ts'
import { TrendStore } from './trend-store.ts'

const stepMs = pageTimes.trendStepMs

let clock: ManualClock
let machine: MemoryMachine
let trends: TrendStore

beforeEach(() => {
  clock = new ManualClock()
  machine = createMemoryMachine([buildTag(), buildTag({ type: 'string' })], [], () => clock.now())
  trends = new TrendStore(machine, clock)
})

afterEach(() => trends.close())

/** The newest points, oldest first, as [min, max]. */
function newest(count: number): [number | null, number | null][] {
  const series = trends.get([0])?.series[0]
  return Array.from({ length: count }, (_, index) => {
    const place = trendPoints - count + index
    return [series?.min[place] ?? null, series?.max[place] ?? null]
  })
}

test('a peak of one sample is still there after an hour of others, and gone after it', () => {
  machine.set(0, 20)
  machine.set(0, 95)
  machine.set(0, 20)
  clock.advance(stepMs * (trendPoints - 1))
  expect(newest(trendPoints)[0]).toEqual([20, 95])
  clock.advance(stepMs)
  expect(newest(trendPoints)[0]).toEqual([20, 20])
})

test('an unchanged value becomes a line, an unreadable one a gap', () => {
  machine.set(0, 20)
  clock.advance(3 * stepMs)
  machine.set(0, null)
  clock.advance(3 * stepMs)
  machine.set(0, 30)
  expect(newest(8)).toEqual([
    [null, null],
    [20, 20],
    [20, 20],
    [20, 20],
    [20, 20],
    [null, null],
    [null, null],
    [30, 30],
  ])
})

test('a stale value counts as missing', () => {
  machine.set(0, 20, clock.now(), 500)
  expect(newest(1)).toEqual([[null, null]])
})

test('after a sleep longer than the hour nothing old is left', () => {
  machine.set(0, 20)
  trends.close()
  clock.advance(2 * trendPoints * stepMs)
  machine.set(0, null)
  expect(newest(trendPoints).every(([min]) => min === null)).toBe(true)
})

test('texts are without a trend, and closing removes every listener', () => {
  expect(trends.get([1])).toBeNull()
  trends.close()
  expect(machine.listeners()).toBe(0)
})
