import { expect, test } from 'vitest'
import { hasWrongCheckDigit } from './check-digit.ts'
import { forecastEnd } from './forecast.ts'
import { addDays, dayOf, planMonthOf, sumMonths, sumWithin } from './plan-month.ts'

test('a month of a plan is the calendar’s, or begins on the 27th of the month before', () => {
  expect(planMonthOf('2028-02-29', 'calendar')).toEqual({
    month: '2028-02',
    from: '2028-02-01',
    to: '2028-02-29',
  })
  expect(planMonthOf('2026-12-26', 'day27')).toEqual({
    month: '2026-12',
    from: '2026-11-27',
    to: '2026-12-26',
  })
  expect(planMonthOf('2026-12-27', 'day27')).toEqual({
    month: '2027-01',
    from: '2026-12-27',
    to: '2027-01-26',
  })
})

test('every day belongs to one month, whose days follow those of the one before', () => {
  for (const cycle of ['calendar', 'day27'] as const) {
    let before = planMonthOf('2023-12-31', cycle)
    for (let day = '2024-01-01'; day < '2028-03-05'; day = addDays(day, 1)) {
      const month = planMonthOf(day, cycle)
      expect(day >= month.from && day <= month.to).toBe(true)
      if (month.month !== before.month) expect(month.from).toBe(addDays(before.to, 1))
      before = month
    }
  }
})

test('a day ends at midnight of Beijing', () => {
  expect(dayOf(Date.parse('2026-11-30T15:59:59Z'))).toBe('2026-11-30')
  expect(dayOf(Date.parse('2026-11-30T16:00:00Z'))).toBe('2026-12-01')
})

test('months add up to all days', () => {
  const days = Array.from({ length: 90 }, (_, place) => ({ day: addDays('2026-09-01', place), bytes: place }))
  const months = sumMonths(days, 'day27')
  expect(months.map(({ month }) => month)).toEqual(['2026-12', '2026-11', '2026-10', '2026-09'])
  expect(months.reduce((sum, { bytes }) => sum + bytes, 0)).toBe((89 * 90) / 2)
  expect(sumWithin(days, planMonthOf('2026-10-01', 'day27'))).toBe(months[2]?.bytes)
})

test('a forecast divides what is left by the mean, and knows how certain it is', () => {
  const even = Array.from({ length: 10 }, (_, place) => ({ day: addDays('2026-11-01', place), bytes: 100 }))
  const month = planMonthOf('2026-11-10', 'calendar')
  expect(forecastEnd(even, 1_000, month)).toEqual({
    at: '2026-11-20',
    earliest: '2026-11-20',
    latest: '2026-11-20',
  })
  // It lasts to the end of the month.
  expect(forecastEnd(even, 2_001, month)).toBeNull()
  expect(forecastEnd(even.slice(0, 2), 10, month)).toBeNull()
  expect(forecastEnd(even, 0, month)).toMatchObject({ at: '2026-11-10' })
  expect(
    forecastEnd(
      even.map(({ day }) => ({ day, bytes: 0 })),
      10,
      month,
    ),
  ).toBeNull()
  const uneven = even.map(({ day }, place) => ({ day, bytes: place % 2 === 0 ? 0 : 200 }))
  const range = forecastEnd(uneven, 1_000, month)
  expect(range?.at).toBe('2026-11-20')
  expect(range && range.earliest < range.at && (range.latest ?? '') > range.at).toBe(true)
})

test('the check digit is that of the other digits', () => {
  expect(hasWrongCheckDigit('89860012345678901237')).toBe(!luhn('89860012345678901237'))
  const [right] = Array.from({ length: 10 }, (_, digit) => `8986001234567890123${digit}`).filter(luhn)
  expect(hasWrongCheckDigit(right ?? '')).toBe(false)
  // Without one, or with letters, there is nothing to check.
  expect(hasWrongCheckDigit('8986001234567890123')).toBe(false)
  expect(hasWrongCheckDigit('8986001234567890123F')).toBe(false)
})

/** From the left, as the standard's example does it by hand. */
function luhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const doubled = Number(digits[place]) * ((digits.length - place) % 2 === 0 ? 2 : 1)
    sum += Math.floor(doubled / 10) + (doubled % 10)
  }
  return sum % 10 === 0
}
