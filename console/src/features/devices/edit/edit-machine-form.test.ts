import { ApiError } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { en } from '../../../shared/i18n/en/index.ts'
import { checkEditInput, judgeEditFailure } from './edit-machine-form.ts'

const refusal = (code: string, field?: string) =>
  new ApiError({ http: 200, hwcode: 420, code, message: code, ...(field ? { field } : {}) })

describe('editing a machine', () => {
  it('counts characters as a person does: a family is one of the ten of a remark', () => {
    expect(checkEditInput({ name: 'Press', remark: '👨‍👩‍👧'.repeat(10) }, en)).toEqual({})
    expect(checkEditInput({ name: 'Press', remark: '👨‍👩‍👧'.repeat(11) }, en).remark).toContain('22')
    expect(checkEditInput({ name: ' ', remark: '' }, en).name).toBe(en.machines.addDialog.problems.nameEmpty)
  })

  it.each([
    ['04010412', 'name'],
    ['040104011', 'name'],
    ['04010406', 'remark'],
  ])('%s stands beside the %s', (code, field) => {
    expect(Object.keys(judgeEditFailure(refusal(code), en, 'en'))).toEqual([field])
  })

  it('says of an accident that nothing was lost', () => {
    expect(judgeEditFailure(new Error('boom'), en, 'en')).toEqual({ general: en.machineEdit.edit.failed })
  })
})
