import { expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { createPlatformClock } from './visitor.ts'

const date = 'Tue, 06 Jan 2026 10:00:00 GMT'

test('an agent whose clock is years off, and set meanwhile, knows the platform’s time', () => {
  const clock = new ManualClock()
  let wallAt = 0
  const platform = createPlatformClock(date, {
    ...clock,
    after: clock.after,
    monotonic: () => clock.monotonic(),
    uptime: () => clock.uptime(),
    now: () => wallAt,
  })
  clock.advance(90_000)
  wallAt = Date.parse('2040-01-01')
  expect(platform()).toBe(Date.parse(date) + 90_000)
})

test('without the platform’s time the own clock counts, some minutes in the visit’s favour', () => {
  const clock = new ManualClock()
  const platform = createPlatformClock(undefined, clock)
  expect(platform()).toBe(clock.now() - 5 * 60_000)
})
