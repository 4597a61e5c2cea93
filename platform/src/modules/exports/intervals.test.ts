import { expect, test } from 'vitest'
import { Intervals } from './intervals.ts'

const hourMs = 3_600_000

/** The begins and lengths in hours of the days from an instant on. */
function daysOf(zone: string, at: number, count: number): [string, number][] {
  const days = new Intervals('day', zone)
  const found: [string, number][] = []
  for (let start = days.startOf(at); found.length < count; ) {
    const { to, intervalMs } = days.windowFrom(start, 100)
    found.push([new Date(start).toISOString(), intervalMs / hourMs])
    start = to
  }
  return found
}

test('a day has 23 or 25 hours where the clocks change', () => {
  expect(daysOf('Europe/Berlin', Date.UTC(2026, 2, 28, 12), 3)).toEqual([
    ['2026-03-27T23:00:00.000Z', 24],
    ['2026-03-28T23:00:00.000Z', 23],
    ['2026-03-29T22:00:00.000Z', 24],
  ])
  expect(daysOf('Europe/Berlin', Date.UTC(2026, 9, 25, 3), 2)).toEqual([
    ['2026-10-24T22:00:00.000Z', 25],
    ['2026-10-25T23:00:00.000Z', 24],
  ])
})

test('a day without a midnight begins with its first instant', () => {
  // Clocks go from 24:00 to 01:00.
  expect(daysOf('America/Santiago', Date.UTC(2026, 8, 6, 12), 2)).toEqual([
    ['2026-09-06T04:00:00.000Z', 23],
    ['2026-09-07T03:00:00.000Z', 24],
  ])
})

test('hours are those of the zone, also where it is half an hour off', () => {
  const at = Date.UTC(2026, 10, 23, 10, 20)
  expect(new Date(new Intervals('3600', 'Asia/Kolkata').startOf(at)).toISOString()).toBe(
    '2026-11-23T09:30:00.000Z',
  )
  expect(new Date(new Intervals('900', 'Asia/Shanghai').startOf(at)).toISOString()).toBe(
    '2026-11-23T10:15:00.000Z',
  )
})
