import { describe, expect, it } from 'vitest'
import { login } from '../../shared/i18n/en/login.ts'
import { accountKind, phoneDigits } from './account-entry.ts'
import { type Entered, findErrors } from './sign-in.ts'

const entered: Entered = { kind: 'phone', countryCode: '86', name: '138 0013 8000', password: 'secret1' }

describe('the sign-in form', () => {
  it('accepts a phone number with separators', () => {
    expect(findErrors(entered, login.errors)).toEqual({})
    expect(phoneDigits(entered.name)).toBe('13800138000')
  })

  it('takes an at-sign for an e-mail, whichever tab is open', () => {
    expect(accountKind({ kind: 'phone', name: 'a@b.cn' })).toBe('email')
    expect(findErrors({ ...entered, name: 'a@b' }, login.errors)).toEqual({ name: login.errors.emailForm })
  })

  it('names missing entries beside their fields', () => {
    expect(findErrors({ ...entered, name: '', password: '' }, login.errors)).toEqual({
      name: login.errors.phoneMissing,
      password: login.errors.passwordMissing,
    })
    expect(findErrors({ ...entered, kind: 'email', name: ' ' }, login.errors)).toEqual({
      name: login.errors.emailMissing,
    })
  })

  it('knows that a phone number has six digits at least', () => {
    expect(findErrors({ ...entered, name: '12-34-5' }, login.errors)).toEqual({
      name: login.errors.phoneShort,
    })
    expect(findErrors({ ...entered, name: '12-34-56' }, login.errors)).toEqual({})
  })
})
