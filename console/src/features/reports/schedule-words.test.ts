import { beforeEach, expect, it, vi } from 'vitest'
import { reportsText } from '../../shared/i18n/en/reports.ts'
import { loadLanguage } from '../../shared/i18n/language.ts'
import { setZone } from '../../shared/i18n/zone.ts'
import { sayRepeats } from './schedule-words.ts'

const zone = 'Asia/Shanghai'
const t = reportsText.schedule
const daily = { every: 'day', weekday: 1, monthDay: 1, hour: 7, timeZone: 'UTC' } as const

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('en', 'inside')
  setZone(zone)
  return () => setZone(undefined)
})

it('names the zone of a time that the reader’s clocks do not show', () => {
  const nextAt = Date.UTC(2026, 10, 28, 7)
  expect(sayRepeats(t, { schedule: daily, nextAt }, zone)).toBe('Daily at 07:00 UTC (15:00 here)')
  expect(sayRepeats(t, { schedule: daily, nextAt: null }, zone)).toBe('Daily at 07:00 UTC')
  expect(sayRepeats(t, { schedule: { ...daily, timeZone: zone }, nextAt }, zone)).toBe('Daily at 07:00')
  const sameClocks = {
    schedule: { ...daily, timeZone: 'Asia/Singapore' },
    nextAt: Date.UTC(2026, 10, 27, 23),
  }
  expect(sayRepeats(t, sameClocks, zone)).toBe('Daily at 07:00 Asia/Singapore')
})

it('names the day of a week that it is here', () => {
  const schedule = { ...daily, every: 'week', hour: 20 } as const
  const monday = Date.UTC(2026, 10, 30, 20)
  expect(sayRepeats(t, { schedule, nextAt: monday }, zone)).toBe(
    'Every Monday at 20:00 UTC (Tuesday 04:00 here)',
  )
})
