import { ApiError } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { cn } from '../../../shared/i18n/cn/index.ts'
import { en } from '../../../shared/i18n/en/index.ts'
import { checkAddInput, judgeAddFailure } from './add-machine-form.ts'

const words = en.machines.addDialog
const good = { code: '3020 8829 5104 0806 712', name: 'Press', password: '' }
const refusal = (code: string, more: { http?: number; field?: string } = {}) =>
  new ApiError({ http: 200, hwcode: 420, code, message: 'server text', ...more })

describe('adding a machine, before it is sent', () => {
  it('takes a code as it is pasted, and no password', () => {
    expect(checkAddInput(good, words)).toEqual({})
  })

  it('names what is wrong with the code, with the digits missing', () => {
    expect(checkAddInput({ ...good, code: '302088295104080' }, words).code).toContain('4 missing')
    expect(checkAddInput({ ...good, code: 'abc' }, words).code).toBe(words.problems.codeCharacters)
  })

  it('counts a name as a person does', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(checkAddInput({ ...good, name: family.repeat(15) }, words).name).toBeUndefined()
    expect(checkAddInput({ ...good, name: family.repeat(16) }, words).name).toContain('32')
    expect(checkAddInput({ ...good, name: '   ' }, words).name).toBe(words.problems.nameEmpty)
  })
})

describe('adding a machine, refused', () => {
  it.each([
    ['04010102', 'code', 'No device has this machine code'],
    ['04010112', 'code', 'This device is already in your list'],
    ['04010113', 'group', 'The group doesn’t exist'],
    ['04010114', 'password', 'Too many incorrect device passwords. Try again in an hour.'],
  ] as const)('%s stands beside %s', (code, field, text) => {
    const { problems, general } = judgeAddFailure(refusal(code), good, words, 'en')
    expect(problems).toEqual({ [field]: text })
    expect(general).toBeUndefined()
  })

  it('speaks the language of the caller', () => {
    const { problems } = judgeAddFailure(refusal('04010102'), good, cn.machines.addDialog, 'cn')
    expect(problems.code).toBe('设备不存在，请核对机器码')
  })

  it('tells a missing password from a wrong one', () => {
    const without = judgeAddFailure(refusal('505'), good, words, 'en')
    expect(without.problems.password).toBe(words.problems.passwordNeeded)
    const wrong = judgeAddFailure(refusal('505'), { ...good, password: 'wrong-password' }, words, 'en')
    expect(wrong.problems.password).toBe('Incorrect device password')
  })

  it('puts a field the platform names beside that field', () => {
    const { problems } = judgeAddFailure(
      refusal('400', { http: 400, field: 'machineName' }),
      good,
      words,
      'en',
    )
    expect(Object.keys(problems)).toEqual(['name'])
  })

  it('says what is left to say in general', () => {
    expect(judgeAddFailure(refusal('04010115'), good, words, 'en').general).toContain('list is full')
    expect(judgeAddFailure(refusal('500', { http: 500 }), good, words, 'en').general).toBe(words.failed)
    expect(judgeAddFailure(new TypeError('x'), good, words, 'en').general).toBe(words.failed)
  })
})
