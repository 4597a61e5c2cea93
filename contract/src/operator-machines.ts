import { z } from 'zod'
import { id, instant, machineCode, paged } from './fields.ts'
import { limits } from './limits.ts'
import { paging, sortedBy } from './operator-paging.ts'
import { route } from './route.ts'

/**
 * Lines one import call takes; a longer file is sent in parts, of 20,000 lines in all (rules/operations.md: machine
 * register).
 */
export const importLinesMax = 200
export const importFileLinesMax = 20_000
const importCharactersMax = 100_000

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

/** Why a line of an import registers no machine. */
export const refusals = [
  'columns',
  'code',
  'demo',
  'twice',
  'known',
  'type',
  'model',
  'password',
  'commonPassword',
] as const
export type Refusal = (typeof refusals)[number]

const newMachine = z.object({ machineCode, type: z.string(), model: z.string() })
/** Secrets that are shown once: the label's password and the agent's secret. */
const machineSecrets = newMachine.extend({ password: z.string(), secret: z.string() })
export type MachineSecrets = z.output<typeof machineSecrets>

export const importMachines = route({
  method: 'POST',
  path: '/api/operator/v1/machines/import',
  who: 'operator',
  title: { cn: '批量登记设备', en: 'Register devices from a file' },
  request: z.object({
    csv: z
      .string()
      .max(importCharactersMax)
      .describe('Lines of machineCode,type,model,password; the password may be empty'),
    firstLine: z.int().min(1).max(importFileLinesMax).default(1).describe('Its line in the whole file'),
  }),
  answer: z.object({
    created: z.int(),
    refused: z.array(z.object({ line: z.int(), reason: z.enum(refusals) })),
    secrets: z.array(machineSecrets).describe('Told this once'),
  }),
  errors: ['12010302'],
  load: 'file',
  bodyBytesMax: limits.largeBodyBytesMax,
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
