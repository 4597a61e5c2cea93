import { limits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { Failure } from '../../kernel/http/failure.ts'
import * as store from './user-groups-store.ts'

/** Throws GROUPS_FULL, GROUP_NAME_TAKEN. */
export async function createGroup(db: Database, userId: number, name: string): Promise<number> {
  return withTransaction(db, async (trx) => {
    await lockPerson(trx, userId)
    if ((await store.countGroups(trx, userId)) >= limits.groupsPerUser) throw new Failure('GROUPS_FULL')
    const id = await store.createGroup(trx, userId, name)
    if (id === undefined) throw new Failure('GROUP_NAME_TAKEN')
    return id
  })
}

/**
 * Renames a group, or sets its machines of the list. Throws 04010113, GROUP_NAME_TAKEN, and 403 for a machine that is
 * missing or not in the list.
 */
export async function updateGroup(
  db: Database,
  userId: number,
  group: {
    readonly id: number
    readonly name?: string | undefined
    readonly machineIds?: readonly number[] | undefined
  },
): Promise<void> {
  const { id, name } = group
  const wanted = group.machineIds && [...new Set(group.machineIds)]
  await withTransaction(db, async (trx) => {
    // Before the list's own lock, which is the person's row: removing a machine from a list locks the entry first and
    // then the person, to write their messages.
    const listed = wanted ? await store.lockListed(trx, userId, wanted) : 0
    await lockPerson(trx, userId)
    if (!(await store.lockGroup(trx, userId, id))) throw new Failure('04010113')
    if (name !== undefined) {
      if (await store.isGroupNameTaken(trx, userId, name, id)) throw new Failure('GROUP_NAME_TAKEN')
      await store.updateGroupName(trx, id, name)
    }
    if (wanted) {
      if (listed < wanted.length) throw new Failure('403')
      await store.setGroupMachines(trx, userId, id, wanted)
    }
  })
}

/** Throws 04010113, GROUP_NOT_EMPTY. */
export async function removeGroup(db: Database, userId: number, id: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    if (!(await store.lockGroup(trx, userId, id))) throw new Failure('04010113')
    if ((await store.countGroupMachines(trx, id)) > 0) throw new Failure('GROUP_NOT_EMPTY')
    await store.removeGroup(trx, id)
  })
}
