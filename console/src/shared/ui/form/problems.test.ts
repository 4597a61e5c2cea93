import { ApiError, enterprises, machines, registration, rulesOf } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { app as appCn } from '../../i18n/cn/app.ts'
import { form as formCn } from '../../i18n/cn/form.ts'
import { app as appEn } from '../../i18n/en/app.ts'
import { form as formEn } from '../../i18n/en/form.ts'
import { findProblems, isSameValue, readRefusal } from './problems.ts'

const cn = { app: appCn, form: formCn }
const en = { app: appEn, form: formEn }

describe('an error appears beside its field', () => {
  const terms = { rules: rulesOf(enterprises.createGroup) }

  test('by the rules of the contract, in the language of the page', () => {
    expect(findProblems({ name: '' }, terms, en)).toEqual({ name: formEn.required })
    expect(findProblems({ name: '' }, terms, cn)).toEqual({ name: formCn.required })
    expect(findProblems({ name: 'x'.repeat(21) }, terms, en)).toEqual({ name: appEn.tooLong(10.5, 10) })
    expect(findProblems({ name: 'a<b' }, terms, cn)).toEqual({ name: formCn.noSpecial })
    expect(findProblems({ name: ' Press shop ' }, terms, en)).toEqual({})
  })

  test('in the form’s own words where it has some', () => {
    const words = { name: { required: 'Give the group a name' } }
    expect(findProblems({ name: ' ' }, { ...terms, words }, en)).toEqual({ name: 'Give the group a name' })
  })

  test('by the request’s name of a field that the form calls another', () => {
    const named = { rules: rulesOf(machines.addMachine), names: { code: 'machineCode', name: 'machineName' } }
    expect(findProblems({ code: '12', name: 'Pump <3' }, named, en)).toEqual({
      code: formEn.patterns.machineCode,
      name: appEn.nameSpecial,
    })
  })

  test('an optional field may stay empty, but not be wrong', () => {
    const rules = rulesOf(registration.updateAccount)
    expect(findProblems({ email: '' }, { rules }, en)).toEqual({})
    expect(findProblems({ email: 'lin@' }, { rules }, en)).toEqual({ email: formEn.patterns.email })
  })
})

describe('a refusal of the platform', () => {
  const values = { code: '1', name: 'x' }
  const terms = {
    names: { code: 'machineCode' },
    errorFields: { '04010412': 'name' } as const,
    failed: 'failed',
  }
  const refused = (code: string, more: { http?: number; field?: string } = {}) =>
    new ApiError({ http: 200, hwcode: 420, code, message: 'told by the platform', ...more })

  test('appears beside the field that its code or its request names, in the platform’s words', () => {
    expect(readRefusal(refused('04010412'), values, terms, 'en')).toEqual({
      problems: { name: 'told by the platform' },
      general: undefined,
    })
    expect(
      readRefusal(refused('505', { http: 400, field: 'machineCode' }), values, terms, 'en').problems.code,
    ).toBeDefined()
  })

  test('appears under the form if it belongs to no field', () => {
    expect(readRefusal(refused('NEWER_CODE'), values, terms, 'en')).toEqual({
      problems: {},
      general: 'told by the platform',
    })
    expect(readRefusal(new Error('broken'), values, terms, 'en').general).toBe('failed')
  })

  test('appears once if the console reports it for all calls', () => {
    expect(readRefusal(refused('x', { http: 500 }), values, terms, 'en')).toEqual({
      problems: {},
      general: undefined,
    })
  })
})

test('a list with the same items counts as unchanged', () => {
  expect(isSameValue([1, 2], [1, 2])).toBe(true)
  expect(isSameValue([1, 2], [2, 1])).toBe(false)
  expect(isSameValue('', '')).toBe(true)
})

test('an object with the same fields counts as unchanged', () => {
  const person = { text: '', countryCode: '86' }
  expect(isSameValue(person, { ...person })).toBe(true)
  expect(isSameValue(person, { ...person, friend: undefined })).toBe(true)
  expect(isSameValue(person, { ...person, text: 'lin' })).toBe(false)
})
