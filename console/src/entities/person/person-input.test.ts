import { ApiError } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { cn } from '../../shared/i18n/cn/index.ts'
import { en } from '../../shared/i18n/en/index.ts'
import { readRefusal } from '../../shared/ui/form/problems.ts'
import {
  emptyPerson,
  explainPerson,
  findLostFriend,
  findPersonProblem,
  formatPerson,
  isNameLike,
  personErrors,
  toPerson,
} from './person-input.ts'

const friend = { userid: 7, name: '王小明', accountMasked: '139****5671', remark: '' }
const picked = { ...emptyPerson, text: friend.name, friend }
const typed = (text: string) => ({ ...emptyPerson, text })
const refusal = (code: string, more: { http?: number; field?: string } = {}) =>
  new ApiError({ http: 200, hwcode: 420, code, message: 'server text', ...more })

describe('friends are used nowhere: a dialog names a friend by id', () => {
  it('sends the id of who was picked, and the account of who was typed; never both', () => {
    expect(toPerson(picked)).toEqual({ userId: 7 })
    expect(toPerson(typed('138 0013 8000'))).toEqual({ account: '13800138000', countryCode: '86' })
    expect([formatPerson(picked), formatPerson(typed('a@b.test'))]).toEqual(['王小明', 'a@b.test'])
  })

  it('a typed name that was not picked is not sent', () => {
    expect(findPersonProblem(picked, en)).toBeUndefined()
    for (const name of ['王', 'Wang', 'nights 3'])
      expect(findPersonProblem(typed(name), en)).toBe(en.account.picker.problems.nobodyPicked)
    expect(findPersonProblem(typed(''), en)).toBe(en.access.add.problems.accountMissing)
    expect(findPersonProblem(typed('13800138000'), en)).toBeUndefined()
    expect(findPersonProblem(typed('wang@example.com'), en)).toBeUndefined()
  })

  it('a number is sent with its country; a name and an e-mail without', () => {
    expect(['', '+86 (138) 0013-8000', 'wang@', 'wang', '王'].map(isNameLike)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  it('reports a lost friend as such, and other accounts differently', () => {
    expect(findLostFriend(refusal('01010304'), picked, cn)).toBe(cn.account.picker.problems.lost('王小明'))
    expect(findLostFriend(refusal('01010304'), typed('a@b.test'), cn)).toBeUndefined()
    expect(findLostFriend(refusal('BLACKLIST'), picked, cn)).toBeUndefined()
  })
})

describe('a refusal of the person appears beside their field', () => {
  const told = (error: ApiError, account = typed('a@b.test')) =>
    readRefusal(
      error,
      { account },
      {
        errorFields: personErrors('account'),
        explain: (refused, values) => explainPerson(refused, values.account, en),
        failed: 'failed',
      },
      'en',
    )

  it.each([
    ['01010304', 'server text'],
    ['01010305', 'server text'],
    ['01010306', 'server text'],
    ['PERSON_BLACKLISTED', en.access.add.problems.blacklisted],
  ])('%s', (code, text) => {
    expect(told(refusal(code))).toEqual({ problems: { account: text }, general: undefined })
  })

  it('has specific texts for a lost friend and an invalid account', () => {
    expect(told(refusal('01010304'), picked).problems.account).toBe(en.account.picker.problems.lost('王小明'))
    expect(told(refusal('400', { http: 400, field: 'countryCode' })).problems.account).toBe(
      en.access.add.problems.accountForm,
    )
  })
})
