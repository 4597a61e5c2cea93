import { describe, expect, it } from 'vitest'
import { AppendReport } from './append-report.ts'
import { judgeTime, judgeValue } from './judge-sample.ts'

const now = Date.UTC(2026, 10, 20, 12)
const minuteMs = 60_000
const hourMs = 60 * minuteMs

describe('a time', () => {
  const cases: [name: string, time: number | undefined, late: boolean, kept: boolean][] = [
    ['none', undefined, false, true],
    ['now', now, false, true],
    ['five minutes ago', now - 5 * minuteMs, false, true],
    ['just over five minutes ago', now - 5 * minuteMs - 1, false, false],
    ['five minutes ahead', now + 5 * minuteMs, false, true],
    ['just over five minutes ahead', now + 5 * minuteMs + 1, false, false],
    ['no number', Number.NaN, false, false],
    ['infinite', Number.POSITIVE_INFINITY, true, false],
    ['late, a year ago', now - 365 * 24 * hourMs, true, true],
    ['late, the first moment of 2000', Date.UTC(2000, 0, 1), true, true],
    ['late, before 2000', Date.UTC(2000, 0, 1) - 1, true, false],
    ['late, an hour ahead', now + hourMs, true, false],
    ['seconds taken for milliseconds', now / 1000, false, false],
  ]
  for (const [name, time, late, kept] of cases) {
    it(`${name} is ${kept ? 'kept' : 'replaced by its arrival, uncertain'}`, () => {
      const expected = kept ? { at: time ?? now, isUncertain: false } : { at: now, isUncertain: true }
      expect(judgeTime(time, late, now)).toEqual(expected)
    })
  }
})

describe('a value', () => {
  it('is stored under its tag’s type, or not at all', () => {
    expect(judgeValue('float64', -0.5)).toBe(-0.5)
    expect(judgeValue('float64', Number.NEGATIVE_INFINITY)).toBe(null)
    expect(judgeValue('float64', '1')).toBe(null)
    expect(judgeValue('bool', false)).toBe(false)
    expect(judgeValue('bool', 1)).toBe(null)
    expect(judgeValue('int64', -7)).toBe(-7n)
    expect(judgeValue('int64', 7.5)).toBe(null)
    expect(judgeValue('int64', 2n ** 63n - 1n)).toBe(2n ** 63n - 1n)
    expect(judgeValue('int64', -(2n ** 63n))).toBe(-(2n ** 63n))
    expect(judgeValue('int64', 2n ** 63n)).toBe(null)
    expect(judgeValue('string', '')).toBe('')
    expect(judgeValue('string', 'x'.repeat(1024))).toBe('x'.repeat(1024))
    expect(judgeValue('string', 'x'.repeat(1025))).toBe(null)
    expect(judgeValue('string', null)).toBe(null)
  })
})

it('a uint64 above 2^63 - 1 and NaN are told as bad in words for a person', () => {
  const report = new AppendReport()
  report.noteBad('energy', 'int64', 2n ** 63n)
  report.noteBad('ratio', 'float64', Number.NaN)
  expect(report.notes).toEqual([
    '"energy" is stored as bad quality: a whole number beyond 2^63 - 1, the largest that is kept',
    '"ratio" is stored as bad quality: no number (NaN)',
  ])
})
