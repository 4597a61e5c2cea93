import { expect, test } from 'vitest'
import { MachineClock } from './machine-clocks.ts'

const start = Date.UTC(2026, 10, 20)

function setUp() {
  const due: number[] = []
  const clock = new MachineClock(1, ({ offsetMs }) => {
    due.push(Math.round(offsetMs))
    clock.written({ offsetMs, at: clock.at })
  })
  let now = start
  return {
    clock,
    due,
    see(offsetMs: number, afterMs = 1_000) {
      now += afterMs
      clock.see(now + offsetMs, now)
      return Math.round(clock.offsetMs)
    },
  }
}

test('the way a message takes does not move the clock much, and is not written', () => {
  const { see, due } = setUp()
  expect(see(-50)).toBe(-50)
  for (let count = 0; count < 50; count++) see(count % 10 === 0 ? -900 : -40)
  expect(see(-40)).toBeGreaterThan(-400)
  expect(due).toEqual([-50])
})

test('one deviating message is not a jump; two that agree are, and are written at once', () => {
  const { see, due } = setUp()
  see(0)
  expect(see(7_200_000)).toBe(0)
  expect(see(10)).toBeLessThan(10)
  expect(see(-3_600_000)).toBeLessThan(10)
  expect(see(-3_600_200)).toBe(-3_600_200)
  expect(due).toEqual([0, -3_600_200])
})

test('a clock that goes right is written every ten minutes', () => {
  const { see, due } = setUp()
  for (let minute = 0; minute < 25; minute++) see(5, 60_000)
  expect(due).toHaveLength(3)
})

test('no number a machine sends is too strange', () => {
  const { clock, see } = setUp()
  for (const at of [Number.NaN, Infinity, -Infinity, 1e300, -1, 0, 2 ** 53]) clock.see(at, start)
  expect([Number.isFinite(clock.offsetMs), see(5)]).toEqual([true, Math.round(clock.offsetMs)])
})
