import { describe, expect, it } from 'vitest'
import { type HistoryFilter, periodOf, reportPeriodOf, usualFilter } from './history-filter.ts'

const now = new Date(2026, 10, 21, 20, 30, 15).getTime()
const custom = (change: Partial<HistoryFilter>): HistoryFilter => ({
  ...usualFilter,
  span: 'custom',
  ...change,
})

describe('the filter of a history of visits', () => {
  it('is the same all day long, so that looking again asks for the same', () => {
    const week = { ...usualFilter, span: 'week' as const }
    expect(periodOf(week, now)).toEqual({ from: new Date(2026, 10, 15).getTime() })
    expect(periodOf(week, now + 60_000)).toEqual(periodOf(week, now))
  })

  it('includes the whole last day, and leaves other fields open', () => {
    expect(periodOf(custom({ fromDay: '2026-11-01', toDay: '2026-11-03' }), now)).toEqual({
      from: new Date(2026, 10, 1).getTime(),
      to: new Date(2026, 10, 4).getTime(),
    })
    expect(periodOf(custom({ fromDay: 'never' }), now)).toEqual({})
  })

  it('always has both ends for a report, within the longest report', () => {
    const { from, to } = reportPeriodOf(custom({}), now)
    expect(to).toBe(new Date(2026, 10, 21, 20, 31).getTime())
    expect(to - from).toBeLessThanOrEqual(366 * 86_400_000)
    expect(from).toBeLessThan(to)
  })
})
