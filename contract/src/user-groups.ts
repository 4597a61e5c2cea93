import { z } from 'zod'
import { groupName, id, nothing } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

const group = z.object({ id, name: z.string(), count: z.int() })
export type UserGroup = z.output<typeof group>

export const listUserGroups = route({
  method: 'GET',
  path: '/api/device/v1/userGroup',
  who: 'user',
  title: { cn: '我的分组', en: 'List your groups' },
  request: z.object({}),
  answer: z.array(group),
  errors: [],
})

export const createUserGroup = route({
  method: 'POST',
  path: '/api/device/v1/userGroup',
  who: 'user',
  title: { cn: '新建分组', en: 'Create a group' },
  request: z.object({ name: groupName }),
  answer: z.object({ id }),
  errors: ['GROUP_NAME_TAKEN', 'GROUPS_FULL'],
})

/** Renames a group, or sets its machines of the caller's list. */
export const updateUserGroup = route({
  method: 'PUT',
  path: '/api/device/v1/userGroup',
  who: 'user',
  title: { cn: '修改分组', en: 'Edit a group' },
  request: z.object({
    id,
    name: groupName.optional(),
    machineIds: z.array(id).max(limits.machinesPerList).optional(),
  }),
  answer: nothing,
  errors: ['04010113', 'GROUP_NAME_TAKEN'],
})

export const removeUserGroup = route({
  method: 'DELETE',
  path: '/api/device/v1/userGroup',
  who: 'user',
  title: { cn: '删除分组', en: 'Delete a group' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['04010113', 'GROUP_NOT_EMPTY'],
})
