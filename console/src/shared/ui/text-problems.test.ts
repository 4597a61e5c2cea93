import { limits } from '@busbar/contract'
import { expect, test } from 'vitest'
import { findNameProblem as findPersonNameProblem } from '../../entities/account/person-rules.ts'
import { checkAddInput } from '../../features/devices/add/add-machine-form.ts'
import { checkEditInput } from '../../features/devices/edit/edit-machine-form.ts'
import { findGroupNameProblem } from '../../features/devices/groups/group-queries.ts'
import { findNameProblem as findMachineNameProblem } from '../../features/keys/shared-name-setting.tsx'
import { en } from '../i18n/en/index.ts'
import { findLengthProblem, findNameProblem } from './text-problems.ts'

const codeOfOne = '3020 8829 5104 0806 712'

test.each(['3#泵 (东)', '5-axis centre #03', 'CNC lathe #11'])(
  '%j is a good name in every dialog',
  (name) => {
    const added = checkAddInput({ code: codeOfOne, name, password: '' }, en.machines.addDialog)
    expect(added).toEqual({})
    expect(checkEditInput({ name, remark: '3#(东)' }, en)).toEqual({})
    expect(findMachineNameProblem(name, en.access.settings)).toBeUndefined()
    expect(findNameProblem(name, limits.machineNameMax, en.app)).toBeUndefined()
  },
)

test.each(['a<b', "a'b", 'a`b', 'a\\b', 'a\u202eb'])('%j is a bad name in every dialog', (name) => {
  const added = checkAddInput({ code: codeOfOne, name, password: '' }, en.machines.addDialog)
  expect(added.name).toBe(en.machines.addDialog.problems.nameSpecial)
  const edited = checkEditInput({ name, remark: name }, en)
  expect(edited).toEqual({ name: en.machineEdit.edit.special, remark: en.machineEdit.edit.special })
  expect(findMachineNameProblem(name, en.access.settings)).toBe(en.access.settings.nameSpecial)
  expect(findNameProblem(name, limits.machineNameMax, en.app)).toBe(en.app.nameSpecial)
})

test('narrow letters count as a half in every dialog', () => {
  expect(checkEditInput({ name: 'x'.repeat(40), remark: 'x'.repeat(20) }, en)).toEqual({})
  expect(checkEditInput({ name: 'x'.repeat(41), remark: '' }, en).name).toContain('41')
  expect(findPersonNameProblem('Christopher Johnson', en.joining.person)).toBeUndefined()
  expect(findPersonNameProblem('王'.repeat(11), en.joining.person)).toBeDefined()
  expect(findGroupNameProblem('Line 4 north side', en.machineEdit.groups)).toBeUndefined()
  expect(findLengthProblem('x'.repeat(21), limits.remarkMax, en.app)).toContain('21')
})
