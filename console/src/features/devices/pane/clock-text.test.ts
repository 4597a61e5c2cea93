import { expect, it } from 'vitest'
import { cn } from '../../../shared/i18n/cn/index.ts'
import { en } from '../../../shared/i18n/en/index.ts'
import { findForgiving } from '../../../shared/ui/kit/forgiving-search.ts'
import { listZones } from '../../../shared/ui/time-zones.ts'
import { describeClock } from './clock-text.ts'

it.each([
  [300, 'In sync (< 1\u202fs)', '一致（不到 1 秒）'],
  [-4_600, '5\u202fs behind', '慢 5 秒'],
  [125_000, '2\u202fmin ahead', '快 2 分钟'],
  [8 * 3_600_000, '8\u202fh ahead', '快 8 小时'],
  [-20_000 * 86_400_000, '20,000\u202fd behind', '慢 20,000 天'],
])('a clock that is off by %i ms is %s', (offset, english, chinese) => {
  expect(describeClock(offset, en)).toBe(english)
  expect(describeClock(offset, cn)).toBe(chinese)
})

it('a zone is found by its name, its place and its offset', () => {
  const zones = listZones(Date.UTC(2026, 0, 1), 'en', 'Europe/Berlin', 'Asia/Tokyo')
  expect(zones[0]).toMatchObject({ name: 'Europe/Berlin', offset: 'UTC+1' })
  expect(zones[1]).toMatchObject({ name: 'Asia/Tokyo', offset: 'UTC+9' })
  const found = (query: string) =>
    findForgiving(zones, query, ({ name, offset, words }) => `${name} ${offset} ${words}`)
  expect(found('new york')[0]).toMatchObject({ name: 'America/New_York', offset: 'UTC−5' })
  expect(found('utc-5').map(({ name }) => name)).toContain('America/New_York')
  expect(found('nowhere')).toEqual([])
})
