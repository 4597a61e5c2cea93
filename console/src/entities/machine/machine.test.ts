import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { enterprises, machines } from '@busbar/contract'
import { expect, test } from 'vitest'
import { isReadOnlyKey, isSettingKey, machineOfEnterprise, machineOfOwn } from './machine.ts'

const source = path.resolve(import.meta.dirname, '../..')
/** Fields of answers that the model names differently. */
const wireNames =
  /\b(machine_(id|name|code|remark|type|limit\w*|check_type|shared_name)|limit_authority|deviceid|cloud_service|project_image|check_type|equid|equname|iccid_num|run_platform|registtime|maintain(start|stop|State))\b/
/** Maps answers to the model. */
const mapped = new Set([
  'entities/machine/machine.ts',
  'entities/machine/machine.test.ts',
  'entities/project/project.ts',
])
/** Answers about people that carry the same name. */
const roleAnswers = new Set([
  'entities/access/access-queries.ts',
  'entities/visit/changes/visit-changes.browser.test.tsx',
])

test('the names of answers end where they are mapped', () => {
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !mapped.has(file) && !roleAnswers.has(file))
    .filter((file) => wireNames.test(readFileSync(path.join(source, file), 'utf8')))
  expect(found).toEqual([])
})

test('a device from the personal list equals the same device from an enterprise’s list', () => {
  const common = { model: 'AC7', online: true, lastSeen: 7, address: 'Harbour 5', openAlarms: 0 }
  const own = machineOfOwn({
    ...common,
    machine_id: 3,
    machine_name: 'Press',
    machine_code: '3020882951040806712',
    machine_remark: 'line 2',
    machine_type: 'imm',
    limit_authority: 2,
    cloud_service: true,
    project_image: '/p.png',
    groups: [{ id: 9, name: 'Hall A' }],
  } as Partial<machines.MachineItem> as machines.MachineItem)
  const entry = {
    ...common,
    eid: 1,
    deviceid: 3,
    machineName: 'Press',
    machineCode: '3020882951040806712',
    remark: 'line 2',
    machineType: 'imm',
    limitAuthority: 2,
    cloudService: true,
    projectImage: '/p.png',
    groupId: 9,
    groupName: 'Hall A',
    maintainstart: 5,
    maintainstop: 8,
    maintainState: 'suspended',
  } as Partial<enterprises.EnterpriseMachine> as enterprises.EnterpriseMachine
  const foreign = machineOfEnterprise(entry, 2)
  const { id, name, code, remark, type, level, cloudService, photo, groups } = own
  expect(foreign).toMatchObject({ id, name, code, remark, type, level, cloudService, photo, groups })
  expect(foreign.enterprise?.window).toEqual({ start: 5, stop: 8, isSuspended: true })
  expect(machineOfEnterprise({ ...entry, maintainstart: null }, 1).enterprise?.window).toBeNull()
})

test('a read-only key was offered changes of settings', () => {
  const keys = [
    { level: 3, readOnly: false },
    { level: 2, readOnly: false },
    { level: 2, readOnly: true },
    { level: 1, readOnly: true },
  ]
  expect(keys.map(isSettingKey)).toEqual([true, true, false, false])
  // A visitor has no key; the reason is another one.
  expect(keys.map(isReadOnlyKey)).toEqual([false, false, true, false])
})
