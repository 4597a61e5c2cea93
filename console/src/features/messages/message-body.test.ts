import { expect, test } from 'vitest'
import { formatMinute } from '../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../shared/i18n/time-span.ts'
import { formatBody } from './message-body.ts'

test('a message tells its times in the reader’s zone, not in the platform’s', () => {
  const [from, to] = [Date.UTC(2026, 10, 21, 13, 30), Date.UTC(2026, 10, 21, 15)]
  const body = 'maintain “2026-01-01T00:00:00Z” from 2026-11-21T13:30:00Z to 2026-11-21T15:00:00Z: yearly'
  const placeOf = (iso: string) => ({ start: body.indexOf(iso), end: body.indexOf(iso) + iso.length })
  const times = [
    { ...placeOf('2026-11-21T13:30:00Z'), at: from },
    { ...placeOf('2026-11-21T15:00:00Z'), at: to },
  ]
  expect(formatBody({ body, times })).toBe(
    `maintain “2026-01-01T00:00:00Z” ${formatTimeSpan({ from, to })}: yearly`,
  )
  const [first] = times
  expect(formatBody({ body, times: first ? [first] : [] })).toContain(
    `from ${formatMinute(from)} to 2026-11-21`,
  )
  expect(formatBody({ body: 'no time', times: [] })).toBe('no time')
})
