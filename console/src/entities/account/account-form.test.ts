import { ApiError } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import { findAccountProblem, formatAccount, judgeAddFailure, toAccount } from './account-form.ts'

const words = en.access.add
const account = (text: string) => ({ text, countryCode: '86' })
const refusal = (code: string, more: { http?: number; field?: string } = {}) =>
  new ApiError({ http: 200, hwcode: 420, code, message: 'server text', ...more })

describe('whom one adds, before it is sent', () => {
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

describe('whom one adds, refused', () => {
  it.each([
    ['01010304', 'User not found'],
    ['01010305', 'This user already has this permission'],
    ['01010306', 'Only the Akey can do this'],
  ])('%s stands beside the account', (code, text) => {
    expect(judgeAddFailure(refusal(code), words, 'en')).toEqual({ account: text })
  })

  it('tells the caller that the person is on the blacklist, beside the account', () => {
    expect(judgeAddFailure(refusal('PERSON_BLACKLISTED'), words, 'en').account).toBe(
      words.problems.blacklisted,
    )
  })

  it('speaks the language of the caller', () => {
    expect(judgeAddFailure(refusal('01010304'), cn.access.add, 'cn')).toEqual({ account: '用户不存在' })
  })

  it('puts a field the platform names beside that field', () => {
    const bad = (field: string) => judgeAddFailure(refusal('400', { http: 400, field }), words, 'en')
    expect(bad('account')).toEqual({ account: words.problems.accountForm })
    expect(bad('validTime')).toEqual({ time: words.problems.timeTooSoon })
  })

  it('says what is left to say in general', () => {
    expect(judgeAddFailure(refusal('500', { http: 500 }), words, 'en')).toEqual({ general: words.failed })
    expect(judgeAddFailure(new TypeError('x'), words, 'en')).toEqual({ general: words.failed })
  })
})
