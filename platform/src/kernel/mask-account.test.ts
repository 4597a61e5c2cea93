import { describe, expect, test } from 'vitest'
import { maskEmail, maskPhone } from './mask-account.ts'

describe('a key’s view of a person’s account', () => {
  test.each([
    ['13812345678', '138****5678'],
    ['447911123456', '447*****3456'],
    // A short number would stand there whole but for a digit.
    ['61234567', '6****567'],
    ['123456', '****56'],
    ['1234', '****'],
    [null, ''],
  ])('phone %s is %s', (number, masked) => {
    expect(maskPhone(number)).toBe(masked)
  })

  test.each([
    ['lin.zhao@example.test', 'l***@example.test'],
    ['a@example.test', '***@example.test'],
    [null, ''],
  ])('e-mail %s is %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
