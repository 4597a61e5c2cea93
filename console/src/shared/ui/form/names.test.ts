import { access, enterprises, machines, type Route, rulesOf } from '@busbar/contract'
import { expect, test } from 'vitest'
import { findNameProblem as findPersonNameProblem } from '../../../entities/account/person-rules.ts'
import { en } from '../../i18n/en/index.ts'
import { findProblems } from './problems.ts'

/** The forms that name a machine, by the field of their call. */
const naming: readonly (readonly [Route, string])[] = [
  [machines.addMachine, 'machineName'],
  [enterprises.addEnterpriseMachine, 'name'],
  [enterprises.updateEnterpriseMachine, 'name'],
  [access.updateMachineInfo, 'machineName'],
]
const find = (route: Route, field: string, value: string) =>
  findProblems({ [field]: value }, { rules: rulesOf(route) }, en)[field]

test.each(['3#泵 (东)', '5-axis centre #03', 'CNC lathe #11'])(
  '%j is a good name in every dialog',
  (name) => {
    for (const [route, field] of naming) expect(find(route, field, name)).toBeUndefined()
  },
)

test.each(['a<b', "a'b", 'a`b', 'a\\b', 'a\u202eb'])('%j is a bad name in every dialog', (name) => {
  for (const [route, field] of naming) expect(find(route, field, name)).toBeDefined()
})

test('narrow letters count as a half in every dialog', () => {
  const edited = (field: string, value: string) => find(machines.updateMachine, field, value)
  expect(edited('updateMachineName', 'x'.repeat(40))).toBeUndefined()
  expect(edited('updateMachineName', 'x'.repeat(41))).toContain('41')
  expect(edited('updateMachineRemark', 'x'.repeat(20))).toBeUndefined()
  expect(edited('updateMachineRemark', 'x'.repeat(21))).toContain('21')
  expect(findPersonNameProblem('Christopher Johnson', en.joining.person)).toBeUndefined()
  expect(findPersonNameProblem('王'.repeat(11), en.joining.person)).toBeDefined()
  expect(find(machines.createUserGroup, 'name', 'Line 4 north side')).toBeUndefined()
})
