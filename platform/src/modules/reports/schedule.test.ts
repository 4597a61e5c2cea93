import { describe, expect, test } from 'vitest'
import { lastDue, nextDue, type Schedule } from './schedule.ts'

const daily: Schedule = { every: 'day', weekday: 1, monthDay: 1, hour: 8, timeZone: 'Asia/Shanghai' }
const iso = (at: number) => new Date(at).toISOString().slice(0, 16)
const at = (text: string) => Date.parse(`${text}Z`)

/** The times of a schedule one after the other. */
function dues(schedule: Schedule, from: string, count: number) {
  const all = [nextDue(schedule, at(from))]
  while (all.length < count) all.push(nextDue(schedule, all.at(-1)?.at as number))
  return all
}

test('a daily report is about the day before, from midnight to midnight', () => {
  expect(dues(daily, '2026-11-23T00:00', 2).map((due) => [due.at, due.from, due.to].map(iso))).toEqual([
    ['2026-11-24T00:00', '2026-11-22T16:00', '2026-11-23T16:00'],
    ['2026-11-25T00:00', '2026-11-23T16:00', '2026-11-24T16:00'],
  ])
  expect(iso(lastDue(daily, at('2026-11-23T00:00')).at)).toBe('2026-11-23T00:00')
})

test('a weekly report is about the seven days before its day', () => {
  const monday: Schedule = { ...daily, every: 'week', weekday: 1, timeZone: 'UTC' }
  const [due] = dues(monday, '2026-11-23T08:00', 1)
  expect([due?.at, due?.from, due?.to].map((time) => iso(time as number))).toEqual([
    '2026-11-30T08:00',
    '2026-11-23T00:00',
    '2026-11-30T00:00',
  ])
})

test('a monthly report is made on its day, or on the last one of each month', () => {
  const first: Schedule = { ...daily, every: 'month', monthDay: 1, timeZone: 'UTC' }
  expect(dues(first, '2026-01-15T00:00', 2).map((due) => [due.at, due.from, due.to].map(iso))).toEqual([
    ['2026-02-01T08:00', '2026-01-01T00:00', '2026-02-01T00:00'],
    ['2026-03-01T08:00', '2026-02-01T00:00', '2026-03-01T00:00'],
  ])
  const last: Schedule = { ...first, monthDay: 0 }
  expect(dues(last, '2028-01-31T09:00', 3).map((due) => iso(due.at))).toEqual([
    '2028-02-29T08:00',
    '2028-03-31T08:00',
    '2028-04-30T08:00',
  ])
})

describe('when clocks change', () => {
  const berlin = (hour: number): Schedule => ({ ...daily, hour, timeZone: 'Europe/Berlin' })

  test.each([0, 1, 2, 3, 23])('a daily report at %d o’clock comes once a day for three years', (hour) => {
    const all = dues(berlin(hour), '2026-01-01T00:00', 3 * 365)
    const days = all.map((due) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(due.at),
    )
    expect(new Set(days).size).toBe(all.length)
    for (const [place, due] of all.entries()) {
      const before = all[place - 1]
      // Reports cover all time, without gaps and overlaps.
      if (before) expect(due.from).toBe(before.to)
      if (before) expect(due.at - before.at).toBeGreaterThanOrEqual(22 * 3_600_000)
      if (before) expect(due.at - before.at).toBeLessThanOrEqual(26 * 3_600_000)
    }
  })

  test('an hour that is left out is made up at the jump, and one that comes twice is meant the first time', () => {
    const spring = dues(berlin(2), '2026-03-28T12:00', 1)[0]
    expect(iso(spring?.at as number)).toBe('2026-03-29T01:00')
    const autumn = dues(berlin(2), '2026-10-24T12:00', 2)
    expect(autumn.map((due) => iso(due.at))).toEqual(['2026-10-25T00:00', '2026-10-26T01:00'])
    // The day itself has 25 hours.
    const next = autumn[1]
    expect(((next?.to ?? 0) - (next?.from ?? 0)) / 3_600_000).toBe(25)
  })

  test('a zone that jumps at midnight has one report of each day', () => {
    const chile: Schedule = { ...daily, hour: 0, timeZone: 'America/Santiago' }
    const all = dues(chile, '2026-08-30T00:00', 14)
    for (const [place, due] of all.entries()) if (place > 0) expect(due.from).toBe(all[place - 1]?.to)
    expect(new Set(all.map((due) => due.at)).size).toBe(14)
  })
})
