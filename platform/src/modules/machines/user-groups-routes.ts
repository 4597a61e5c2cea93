import { machines as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { createGroup, removeGroup, updateGroup } from './user-groups-service.ts'
import { listGroups } from './user-groups-store.ts'

/** The groups a person sorts their own list into. */
export function userGroupsRoutes(db: Database): Binding[] {
  return [
    bind(contract.listUserGroups, (_, { user }) => listGroups(db, user.userId)),

    bind(contract.createUserGroup, async ({ name }, { user }) => ({
      id: await createGroup(db, user.userId, name),
    })),

    bind(contract.updateUserGroup, async (input, { user }) => {
      await updateGroup(db, user.userId, input)
      return {}
    }),

    bind(contract.removeUserGroup, async ({ id }, { user }) => {
      await removeGroup(db, user.userId, id)
      return {}
    }),
  ]
}
