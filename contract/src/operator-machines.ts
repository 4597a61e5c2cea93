import { z } from 'zod'
import { id, instant, machineCode, paged } from './fields.ts'
import { machineSecrets } from './machine-imports.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'

export const machineRow = z.object({
  machineId: id,
  machineCode,
  name: z.string(),
  type: z.string(),
  model: z.string(),
  ownerKind: z.enum(['none', 'person', 'enterprise']),
  owner: z.string(),
  online: z.boolean(),
  lastSeenAt: instant.nullable(),
  createdAt: instant,
})
export type MachineRow = z.output<typeof machineRow>

/** The columns that the register is sorted by. */
export const machineOrders = ['name', 'code', 'type', 'lastSeenAt', 'createdAt'] as const

export const listMachines = route({
  method: 'GET',
  path: '/api/operator/v1/machines',
  who: 'operator',
  load: 'search',
  title: { cn: '设备台账', en: 'List the device register' },
  request: z.object({
    ...paging,
    ...sortedBy(machineOrders),
    only: z.enum(['unowned', 'neverSeen']).optional(),
  }),
  answer: paged(machineRow),
  errors: [],
})

/** A person's role at a machine. */
export const machineRoles = ['akey', 'bkey', 'visitor'] as const
export type MachineRole = (typeof machineRoles)[number]

const held = {
  role: z.enum(machineRoles),
  until: instant.nullable().describe('When the permission ends; null: never'),
  readOnly: z.boolean(),
}

/** A machine with the right that a person has over it. */
export const heldMachine = machineRow.extend(held)
export type HeldMachine = z.output<typeof heldMachine>

/** An operator's view of one machine beside its lists; its secrets are hashes and are shown to nobody. */
export const getMachine = route({
  method: 'GET',
  path: '/api/operator/v1/machines/:id',
  who: 'operator',
  title: { cn: '设备详情', en: 'Get a device' },
  request: z.object({ id }),
  answer: machineRow.extend({
    ownerUserId: id.nullable(),
    ownerEid: id.nullable(),
    ownedSince: instant.nullable().describe('When it changed hands last; null: never'),
    cloudService: z.boolean(),
    checkType: z.int(),
    timeZone: z.string().describe('IANA zone of the device’s clock, where it sends local times'),
    clockOffsetMs: z.int().nullable().describe('By how much its clock is ahead; null: unknown'),
    bkeys: z.int(),
    visitors: z.int(),
    connection: z
      .object({
        protocol: z.string(),
        address: z.string(),
        startedAt: instant,
        endedAt: instant.nullable().describe('Null: it is connected'),
      })
      .nullable()
      .describe('The connection it has, or had last'),
    limits: z.object({
      values: z.int().describe('Values a second that are taken of it; more are left out'),
      tags: z.int(),
    }),
  }),
  errors: ['404'],
})

const holderRow = z.object({ userId: id, name: z.string(), ...held, since: instant.nullable() })
export type HolderRow = z.output<typeof holderRow>

/** The people with a right over a machine: the Akey, Bkeys, then visitors. */
export const listMachineHolders = route({
  method: 'GET',
  path: '/api/operator/v1/machines/:id/holders',
  who: 'operator',
  load: 'search',
  title: { cn: '设备的钥匙与访客', en: 'List the key holders and visitors of a device' },
  request: z.object({ id, page: paging.page, pageSize: paging.pageSize }),
  answer: paged(holderRow),
  errors: ['404'],
})

export const renewMachineLabel = route({
  method: 'POST',
  path: '/api/operator/v1/machines/:id/label',
  who: 'operator',
  title: { cn: '重新生成设备标签', en: 'Create a new label for a device' },
  request: z.object({ id }),
  answer: machineSecrets,
  errors: ['404', '12010301'],
})
