import { limits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import * as store from './groups-store.ts'
import { changeSpace, type SpaceDeps } from './space-change.ts'

/** Throws GROUP_NAME_TAKEN, GROUPS_FULL. */
export async function createGroup(
  deps: SpaceDeps,
  caller: Caller,
  eid: number,
  name: string,
): Promise<number> {
  return changeSpace(deps, caller, eid, 'manage', async (scope) => {
    if ((await store.countGroups(scope.trx, eid)) >= limits.groupsPerEnterprise)
      throw new Failure('GROUPS_FULL')
    const id = await store.createGroup(scope.trx, eid, name)
    if (id === undefined) throw new Failure('GROUP_NAME_TAKEN')
    await scope.record({ kind: 'group.made' }, { words: { name } })
    return id
  })
}

/** Throws 404, GROUP_NAME_TAKEN. */
export async function updateGroup(
  deps: SpaceDeps,
  caller: Caller,
  group: { eid: number; id: number; name: string },
): Promise<void> {
  await changeSpace(deps, caller, group.eid, 'manage', async (scope) => {
    const { trx, eid } = scope
    const known = await store.findGroup(trx, eid, group.id)
    if (!known) throw new Failure('404')
    if (await store.isGroupNameTaken(trx, eid, group.name, group.id)) throw new Failure('GROUP_NAME_TAKEN')
    await store.updateGroupName(trx, group.id, group.name)
    await scope.record({ kind: 'group.renamed' }, { words: { name: group.name, formerName: known.name } })
  })
}

/** Throws 404, GROUP_NOT_EMPTY. */
export async function removeGroup(deps: SpaceDeps, caller: Caller, eid: number, id: number): Promise<void> {
  await changeSpace(deps, caller, eid, 'manage', async (scope) => {
    const known = await store.findGroup(scope.trx, eid, id)
    if (!known) throw new Failure('404')
    // A call that puts a device into a group takes the same lock.
    if ((await store.countGroupDevices(scope.trx, id)) > 0) throw new Failure('GROUP_NOT_EMPTY')
    await store.removeGroup(scope.trx, id)
    await scope.record({ kind: 'group.removed' }, { words: { name: known.name } })
  })
}
