import { describe, expect, it } from 'vitest'
import { joining } from '../../shared/i18n/en/joining.ts'
import { login } from '../../shared/i18n/en/login.ts'
import { findRegisterErrors, type Registration } from './register.ts'

const typed: Registration = {
  entry: { kind: 'email', countryCode: '86', name: 'ming@example.cn' },
  name: 'Ming Li',
  password: 'quite a secret',
  repeat: 'quite a secret',
}
const find = (part: Partial<Registration>) => findRegisterErrors({ ...typed, ...part }, { joining, login })

describe('the registration form', () => {
  it('says beside the second password that the two do not match', () => {
    expect(find({})).toEqual({})
    expect(find({ repeat: 'quite a secreT' })).toEqual({ repeat: joining.person.passwordsDiffer })
    expect(find({ repeat: '' })).toEqual({ repeat: joining.person.passwordsDiffer })
  })

  it('says of a password that cannot be nothing about the second one', () => {
    expect(Object.keys(find({ password: '12345', repeat: '1' }))).toEqual(['password'])
  })
})
