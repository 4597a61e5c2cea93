import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../entities/enterprise/enterprise-queries.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { DeviceSpace } from '../space.ts'
import { bulkKinds, concerned } from './bulk-acts.ts'
import { groupSteps } from './group-steps.ts'

const machine = (id: number, more: Partial<Machine> = {}) =>
  ({ id, level: 3, openAlarms: 0, groups: [], ...more }) as unknown as Machine
const quiet = machine(1)
const alarmed = machine(2, { openAlarms: 2 })
const notHeld = machine(3, { openAlarms: 1, level: 0 })

const offered = (space: DeviceSpace, machines: readonly Machine[]) =>
  bulkKinds.filter((kind) => concerned(kind, space, machines).length > 0)

describe('the acts that a selection offers', () => {
  const inSpace = (role: Permission['role'], rights: Permission['rights'] = []): DeviceSpace => ({
    kind: 'owned',
    eid: 1,
    type: 1,
    permission: { role, rights } as Permission,
  })

  test('are those that the person may do in this space', () => {
    expect(offered({ kind: 'personal' }, [quiet, alarmed])).toEqual(['groups', 'confirm', 'remove'])
    expect(offered(inSpace('admin'), [quiet, alarmed])).toEqual(['groups', 'team', 'confirm', 'remove'])
    expect(offered(inSpace('member', ['manage']), [quiet])).toEqual(['groups'])
    expect(offered(inSpace('member'), [quiet])).toEqual([])
  })

  test('confirm only devices with alarms on which the person has a right', () => {
    expect(concerned('confirm', { kind: 'personal' }, [quiet, alarmed, notHeld])).toEqual([alarmed])
    expect(offered({ kind: 'personal' }, [quiet])).toEqual(['groups', 'remove'])
  })
})

describe('the groups of many devices', () => {
  const inGroup = (id: number, ...groupIds: number[]) =>
    machine(id, { groups: groupIds.map((groupId) => ({ id: groupId, name: `group ${groupId}` })) })
  const list = [inGroup(1, 7), inGroup(2), inGroup(3, 7, 8), inGroup(4, 8)]

  test('keep the members that were not selected, and change no group without a wish', () => {
    const { changes } = groupSteps([inGroup(2), inGroup(3)], list, { 7: true, 8: false })
    expect(changes).toEqual([
      { groupId: 7, ids: [2], machineIds: [1, 3, 2] },
      { groupId: 8, ids: [3], machineIds: [4] },
    ])
  })

  test('leave out a device that left the list, and name it', () => {
    const { changes, gone } = groupSteps([inGroup(2), inGroup(99)], list, { 8: true })
    expect(gone).toEqual([99])
    expect(changes).toEqual([{ groupId: 8, ids: [2], machineIds: [3, 4, 2] }])
  })
})
