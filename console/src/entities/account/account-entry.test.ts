import { describe, expect, it } from 'vitest'
import { formatEntry, nationalNumber } from './account-entry.ts'

const typed = (name: string, countryCode = '86') => ({ kind: 'phone' as const, countryCode, name })

describe('a number as people write it', () => {
  it.each(['13800138000', '+86 138-0013-8000', '0086 13800138000', '86 138 0013 8000'])(
    '%s is one',
    (name) => {
      expect(nationalNumber(typed(name))).toBe('13800138000')
      expect(formatEntry(typed(name))).toBe('+86 13800138000')
    },
  )

  it('loses only the prefix of its own country', () => {
    expect(nationalNumber(typed('8613800', '86'))).toBe('8613800')
    expect(nationalNumber(typed('0049 30 1234', '49'))).toBe('301234')
    expect(nationalNumber(typed('49 30 1234', '49'))).toBe('49301234')
    expect(formatEntry(typed('+44 7911 123456'))).toBe('+447911123456')
  })
})
