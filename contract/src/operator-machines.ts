import { z } from 'zod'
import { id, instant, machineCode, paged } from './fields.ts'
import { limits } from './limits.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

/** Lines one import call takes; a longer file is sent in parts, of 20,000 lines in all. */
export const importLinesMax = 200
export const importFileLinesMax = 20_000
const importCharactersMax = 100_000

const machineRow = z.object({
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

export const listMachines = route({
  method: 'GET',
  path: '/api/operator/v1/machines',
  who: 'operator',
  load: 'search',
  title: { cn: '设备台账', en: 'List the device register' },
  request: z.object({ ...paging, only: z.enum(['unowned', 'neverSeen']).optional() }),
  answer: paged(machineRow),
  errors: [],
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
/** What is told once: the label's password and the agent's secret. */
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
