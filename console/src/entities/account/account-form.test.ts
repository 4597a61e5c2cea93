import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { en } from '../../shared/i18n/en/index.ts'
import { loadLanguage } from '../../shared/i18n/language.ts'
import { findAccountProblem, formatAccount, hasDialCode, toAccount } from './account-form.ts'

const words = en.access.add
const account = (text: string) => ({ text, countryCode: '86' })

describe('the account of a person to add, before it is sent', () => {
  it('takes a number the way people write it', () => {
    expect(toAccount(account(' 138 0013-8000 '))).toEqual({ account: '13800138000', countryCode: '86' })
    expect(formatAccount(account('(138) 0013 8000'))).toBe('+86 13800138000')
  })

  it('an at-sign makes it an e-mail', () => {
    expect(toAccount(account(' wang@example.com ')).account).toBe('wang@example.com')
    expect(formatAccount(account('wang@example.com'))).toBe('wang@example.com')
  })

  it.each([
    ['', words.problems.accountMissing],
    ['   ', words.problems.accountMissing],
    ['12345', words.problems.accountShort],
    ['Wang Fang', words.problems.accountShort],
    ['wang@', words.problems.accountForm],
    ['13800138000', undefined],
    ['wang@example.com', undefined],
  ])('“%s”: %s', (text, problem) => {
    expect(findAccountProblem(account(text), words.problems)).toBe(problem)
  })
})

describe('the dial code before the field of an account', () => {
  const shown = () => ['', '138 0013', '+49', 'wang', 'wang@'].map(hasDialCode)

  beforeEach(() => void vi.stubGlobal('document', { documentElement: {} }))
  afterEach(async () => {
    await loadLanguage('cn', 'outside')
    vi.unstubAllGlobals()
  })

  it('stands before numbers, and in English not before an empty field, which waits for an e-mail', async () => {
    await loadLanguage('cn', 'outside')
    expect(shown()).toEqual([true, true, true, false, false])
    await loadLanguage('en', 'outside')
    expect(shown()).toEqual([false, true, true, false, false])
  })
})
