import { beforeEach, expect, it, vi } from 'vitest'
import { loadLanguage } from './language.ts'
import { formatLasts, formatTimeSpan, partsOfTimeSpan } from './time-span.ts'
import { setZone } from './zone.ts'

const hourMs = 3_600_000
const from = Date.UTC(2026, 10, 28, 3)

beforeEach(async () => {
  vi.useFakeTimers({ now: from, toFake: ['Date'] })
  vi.stubGlobal('document', { documentElement: {} })
  setZone('Asia/Shanghai')
  await loadLanguage('en', 'inside')
  return () => {
    vi.useRealTimers()
    setZone(undefined)
  }
})

it('writes a day once, and the year only where it is another one', async () => {
  expect(formatTimeSpan({ from, to: from + 24 * hourMs })).toBe('28 Nov 11:00 – 29 Nov 11:00')
  expect(formatTimeSpan({ from, to: from + 1.5 * hourMs })).toBe('28 Nov 11:00 – 12:30')
  expect(formatTimeSpan({ from, to: from + 40 * 24 * hourMs })).toBe('28 Nov 2026 11:00 – 07 Jan 2027 11:00')
  expect(formatTimeSpan({ from, to: from + 90_000 })).toBe('28 Nov 11:00:00 – 11:01:30')
  expect(partsOfTimeSpan({ from, to: from + hourMs }, true)).toEqual(['28 Nov 2026 11:00 –', '12:00'])
  await loadLanguage('cn', 'inside')
  expect(formatTimeSpan({ from, to: from + 24 * hourMs })).toBe('11/28 11:00 – 11/29 11:00')
})

it('says a duration in its two largest units', () => {
  expect(formatLasts(59_999)).toBe('59\u202fs')
  expect(formatLasts(60_000)).toBe('1\u202fmin')
  expect(formatLasts(hourMs + 119_000)).toBe('1\u202fh 1\u202fmin')
  expect(formatLasts(24 * hourMs)).toBe('24\u202fh')
  expect(formatLasts(49 * hourMs)).toBe('2\u202fd 1\u202fh')
})

it('shows no negative time for an alarm whose machine’s clock runs ahead', () => {
  expect(formatLasts(-5_000)).toBe('0\u202fs')
})
