import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadLanguage } from '../../shared/i18n/language.ts'
import { formatLeft, formatSpan } from './visit-time.ts'

const minute = 60_000
const hour = 60 * minute
/** A narrow no-break space joins a value and its unit. */
const plain = (text: string) => text.replaceAll('\u202f', ' ')

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} })
  await loadLanguage('en', 'inside')
})

describe('the remaining time of a visit', () => {
  it('counts seconds only towards the end', () => {
    expect(plain(formatLeft(8 * hour - 1))).toBe('7 h 59 min')
    expect(plain(formatLeft(hour + 5 * minute))).toBe('1 h 05 min')
    expect(plain(formatLeft(10 * minute))).toBe('10 min')
    expect(plain(formatLeft(10 * minute - 1))).toBe('10:00')
    expect(formatLeft(249_000)).toBe('4:09')
  })

  it('is never less than nothing, and not nothing before it is', () => {
    expect(formatLeft(1)).toBe('0:01')
    expect(formatLeft(0)).toBe('0:00')
    expect(formatLeft(-5_000)).toBe('0:00')
  })
})

it('says how long something took', () => {
  expect(plain(formatSpan(9_900))).toBe('9 s')
  expect(plain(formatSpan(38 * minute + 59_000))).toBe('38 min')
  expect(plain(formatSpan(2 * hour))).toBe('2 h 00 min')
})
