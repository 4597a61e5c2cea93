import { describe, expect, it } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const hour = 3_600_000
const day = 24 * hour

describe('the times of the axis', () => {
  it.each([1_000, 60_000, hour, 6 * hour, day, 7 * day, 90 * day])(
    '%i ms have a few round ones in order',
    (length) => {
      const range = {
        from: Date.UTC(2026, 10, 20, 3, 17, 42, 345),
        to: Date.UTC(2026, 10, 20, 3, 17, 42, 345) + length,
      }
      const { stepMs, times } = timeTicks(range, length / 7)
      expect(times.length).toBeGreaterThanOrEqual(2)
      expect(times.length).toBeLessThanOrEqual(8)
      expect(times.every((at) => at >= range.from && at <= range.to)).toBe(true)
      for (const at of times) {
        const date = new Date(at)
        const midnight = new Date(at).setHours(0, 0, 0, 0)
        if (stepMs >= day) expect(date.getHours()).toBe(0)
        else expect((at - midnight) % stepMs).toBe(0)
      }
    },
  )

  it('of days stay where they are while one moves', () => {
    const from = Date.UTC(2026, 10, 1)
    const { times } = timeTicks({ from, to: from + 60 * day }, 6 * day)
    const { times: later } = timeTicks({ from: from + 3 * day, to: from + 63 * day }, 6 * day)
    expect(later.filter((at) => at <= from + 60 * day)).toEqual(times.filter((at) => at >= from + 3 * day))
  })
})
