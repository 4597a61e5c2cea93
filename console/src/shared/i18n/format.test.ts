import { beforeEach, describe, expect, it, vi } from 'vitest'
import * as format from './format.ts'
import { formatBytes } from './format-bytes.ts'
import { loadLanguage } from './language.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)
const minute = 60_000

describe('numbers, units and times', () => {
  beforeEach(async () => {
    vi.stubGlobal('document', { documentElement: {} })
    await loadLanguage('en', 'inside')
  })

  it('joins value and unit so that no line breaks between them', () => {
    expect(format.joinUnit(format.formatNumber(108, 1), '°C')).toBe('108.0\u202f°C')
    expect(format.joinUnit(format.emptyMark, '°C')).toBe('—')
  })

  it('keeps the places a tag has, and six significant digits of others', () => {
    expect(format.formatNumber(0.25, 2)).toBe('0.25')
    expect(format.formatNumber(1 / 3)).toBe('0.333333')
    expect(format.formatNumber(1234567)).toBe('1,234,567')
    expect(format.formatNumber(-27.8, 1)).toBe('\u221227.8')
    expect(format.formatNumber(Number.NaN, 1)).toBe('—')
  })

  it('says ages in words', async () => {
    expect(format.formatRelative(now - 5_000, now)).toBe('just now')
    expect(format.formatRelative(now - minute, now)).toBe('1\u202fmin ago')
    expect(format.formatRelative(now - 26 * 60 * minute, now)).toBe('1 day ago')
    expect(format.formatRelative(null, now)).toBe('—')
    await loadLanguage('cn', 'inside')
    expect(format.formatRelative(now - 59 * minute, now)).toBe('59 分钟前')
  })

  it('takes a clock that is ahead for now', () => {
    expect(format.formatRelative(now + minute, now)).toBe('just now')
  })

  it('writes dates that cannot be read two ways', async () => {
    const at = new Date(2026, 2, 4, 21, 33, 5).getTime()
    expect(format.formatExact(at)).toBe('04 Mar 2026, 21:33:05')
    await loadLanguage('cn', 'inside')
    expect(format.formatExact(at)).toBe('2026/03/04 21:33:05')
  })

  it('keeps sizes short, also where rounding would add a digit', () => {
    const sizes = [0, 840, 1_023, 1_234, 80_456, 1_048_300, 1_300_000, 10 * 1_024 ** 3, 3 * 1_024 ** 4]
    expect(sizes.map((bytes) => formatBytes(bytes).replace('\u202f', ' '))).toEqual([
      ...['0 B', '840 B', '1,023 B', '1.2 KB', '79 KB', '1.0 MB', '1.2 MB', '10 GB', '3.0 TB'],
    ])
  })

  it('shows 99+ above 99', () => {
    expect([99, 100].map(format.formatBadge)).toEqual(['99', '99+'])
  })
})
