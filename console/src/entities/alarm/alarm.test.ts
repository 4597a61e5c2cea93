import { describe, expect, it } from 'vitest'
import { endOfShelve, formatLasts } from './alarm.ts'

const hourMs = 3_600_000
const words = {
  seconds: (n: number) => `${n}s`,
  minutes: (n: number) => `${n}m`,
  hours: (h: number, m: number) => `${h}h${m}m`,
  days: (d: number, h: number) => `${d}d${h}h`,
}

describe('the end of a shelving', () => {
  it('is counted from now for a span', () => {
    expect(endOfShelve({ span: 'shift', at: null }, 1_000, 30)).toBe(1_000 + 8 * hourMs)
  })

  it('is refused in the past, after the longest span, and while none is chosen', () => {
    expect(endOfShelve({ span: 'other', at: 999 }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: 1_001 + 30 * 24 * hourMs }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: null }, 1_000, 30)).toBeUndefined()
    expect(endOfShelve({ span: 'other', at: 2_000 }, 1_000, 30)).toBe(2_000)
  })
})

it('says how long an alarm lasted in its two largest units', () => {
  expect(formatLasts(59_999, words)).toBe('59s')
  expect(formatLasts(60_000, words)).toBe('1m')
  expect(formatLasts(hourMs + 119_000, words)).toBe('1h1m')
  expect(formatLasts(25 * hourMs, words)).toBe('1d1h')
})

it('shows no negative time for an alarm whose machine’s clock runs ahead', () => {
  expect(formatLasts(-5_000, words)).toBe('0s')
})
