import { expect, test } from 'vitest'
import { buildSample, buildTag } from '../testing/builders.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { BootTimes, earliestAt } from './boot-times.ts'
import { createEntry } from './entry.ts'
import { ForwardTimes } from './forward-times.ts'
import { SendTimes } from './send-times.ts'
import { TagBook } from './tag-book.ts'

const hourMs = 3_600_000

test('samples of this boot move with the clock when it is set, however often; those taken after it do not', () => {
  const clock = new ManualClock()
  const times = new BootTimes(clock, 'a')
  const before = times.observe()
  clock.advance(10_000)
  expect(times.shiftMs(before)).toBe(0)
  clock.step(-2 * hourMs)
  const wrong = times.observe()
  expect(times.shiftMs(before)).toBe(-2 * hourMs)
  clock.advance(10_000)
  clock.step(3 * hourMs)
  const right = times.observe()
  expect([before, wrong, right].map((taken) => times.shiftMs(taken))).toEqual([hourMs, 3 * hourMs, 0])
})

test('a difference of the two clocks below two seconds does not count as a step', () => {
  const clock = new ManualClock()
  const times = new BootTimes(clock, 'a')
  const taken = times.observe()
  clock.step(1_900)
  expect(times.observe()).toBe(taken)
})

test('a clock that falls back to 1970 teaches nothing about samples that have a time', () => {
  const clock = new ManualClock()
  const times = new BootTimes(clock, 'a')
  const taken = times.observe()
  clock.step(-clock.now())
  const unset = times.observe()
  expect(times.isClockSet).toBe(false)
  expect(times.shiftMs(taken)).toBe(0)
  // The uptime tells when it really is.
  expect(times.shiftMs(unset)).toBe(taken.startedAt - unset.startedAt)
})

test('a later run knows the boots of an earlier one; an unknown boot gets no correction', () => {
  const clock = new ManualClock()
  clock.step(-clock.now())
  const times = new BootTimes(clock, 'a')
  const unset = times.observe()
  clock.step(earliestAt + 20 * 365 * 24 * hourMs)
  times.observe()
  const next = new BootTimes(new ManualClock(), 'b')
  expect(next.shiftMs(unset)).toBe(0)
  next.adopt(times.list())
  expect(next.shiftMs(unset)).toBe(earliestAt + 20 * 365 * 24 * hourMs)
  expect(next.shiftMs({ boot: 'c', startedAt: 5 })).toBe(0)
})

test('after a small step back live times continue until the clock has caught up; a large one is followed', () => {
  const forward = new ForwardTimes()
  const seconds = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => forward.next((from + index) * 1_000))
  expect(seconds(100, 102)).toEqual([100_000, 101_000, 102_000])
  const after = seconds(98, 112)
  expect(after[0]).toBe(102_001)
  for (let index = 1; index < after.length; index++) {
    expect(after[index]).toBeGreaterThan(after[index - 1] as number)
  }
  expect(after.slice(-5)).toEqual([108_000, 109_000, 110_000, 111_000, 112_000])
  // Two readings of one moment keep one time.
  expect(forward.next(112_000)).toBe(112_000)
  expect(forward.next(112_000 - 6 * 60_000)).toBe(112_000 - 6 * 60_000)
})

test('times of the controller stay as they are when the clock of the agent is set, in memory and on the disk', () => {
  const clock = new ManualClock()
  const times = new BootTimes(clock, 'a')
  const taken = times.observe()
  const own = buildSample({ at: clock.now() - 300, isOwnTime: true })
  const entry = createEntry([buildSample({ at: clock.now() }), own], taken, false, 0)
  clock.step(hourMs)
  times.observe()
  const sent = new SendTimes(times).fix(entry, false).samples
  expect(sent.map(({ at }) => at)).toEqual([clock.now(), own.at])
  const tag = { name: 'tag', datatype: 10 }
  const restored = new TagBook([buildTag()]).restore([own], new Map([[0, tag]]), hourMs)
  expect(restored).toEqual([own])
})
