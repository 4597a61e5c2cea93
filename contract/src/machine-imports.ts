import { z } from 'zod'
import { instant, machineCode, nothing } from './fields.ts'
import { fileAnswer } from './file-answer.ts'
import { route } from './route.ts'
import { tagLimits } from './tag-limits.ts'

/** Lines of a file (rules/operations.md: machine register). */
export const importLinesMax = 20_000
export const importCharactersMax = tagLimits.tagFileCharactersMax
/** Imports of a person that run, or whose secrets are not saved. */
export const importsKeptMax = 5
/** Imports of a person that have ended and are saved; older ones are gone. */
export const importsListed = 10
/** Lifetime of secrets that nobody saved. */
export const secretsHours = 24

/** Why a line of an import registers no machine. */
export const refusals = [
  'columns',
  'code',
  'demo',
  'selfRegistered',
  'twice',
  'known',
  'type',
  'model',
  'password',
  'commonPassword',
] as const
export type Refusal = (typeof refusals)[number]

/** Secrets that are kept until they are saved: the label's password and the agent's secret. */
export const machineSecrets = z.object({
  machineCode,
  type: z.string(),
  model: z.string(),
  password: z.string(),
  secret: z.string(),
})
export type MachineSecrets = z.output<typeof machineSecrets>

export const importStates = ['waiting', 'running', 'done', 'failed', 'stopped'] as const
export type ImportState = (typeof importStates)[number]

const jobId = z.uuid()
const importRow = z.object({
  jobId,
  state: z.enum(importStates),
  lines: z.int().describe('Lines of the file that name a device'),
  done: z.int().describe('Lines that are registered or refused'),
  created: z.int(),
  refused: z.int(),
  secrets: z.int().describe('Devices whose secrets can still be fetched'),
  secretsUntil: instant
    .nullable()
    .describe('When they are removed unless they are saved before; null: not known yet'),
  reason: z.string().describe('Error code of the failure; empty: it hasn’t failed'),
  createdAt: instant,
})
export type ImportRow = z.output<typeof importRow>

const refusedLine = z.object({ line: z.int(), reason: z.enum(refusals) })
export type RefusedLine = z.output<typeof refusedLine>

export const importMachines = route({
  method: 'POST',
  path: '/api/operator/v1/machines/import',
  who: 'operator',
  title: { cn: '批量登记设备', en: 'Register devices from a file' },
  request: z.object({
    csv: z
      .string()
      .max(importCharactersMax)
      .describe(
        'A table of machineCode, type, model, password, with a heading or in this order; the password may be empty',
      ),
  }),
  answer: z.object({ jobId }),
  errors: ['12010302', 'IMPORTS_FULL', 'TABLE_UNREADABLE'],
  limits: ['imports'],
  load: 'file',
  bodyBytesMax: tagLimits.tagFileBytesMax,
})

export const listMachineImports = route({
  method: 'GET',
  path: '/api/operator/v1/machines/import',
  who: 'operator',
  title: { cn: '我的批量登记', en: 'List your imports of devices' },
  request: nothing,
  answer: z.array(importRow),
  errors: [],
})

export const getMachineImport = route({
  method: 'GET',
  path: '/api/operator/v1/machines/import/:jobId',
  who: 'operator',
  title: { cn: '批量登记的进度', en: 'Get an import of devices' },
  request: z.object({ jobId }),
  answer: z.object({ ...importRow.shape, refused: z.array(refusedLine) }),
  errors: ['404'],
})

export const stopMachineImport = route({
  method: 'POST',
  path: '/api/operator/v1/machines/import/:jobId/stop',
  who: 'operator',
  title: { cn: '停止批量登记', en: 'Stop an import of devices' },
  request: z.object({ jobId }),
  answer: nothing,
  errors: ['404'],
})

/** The secrets of the machines that are registered so far; only for the person who started the import. */
export const getMachineImportSecrets = route({
  method: 'GET',
  path: '/api/operator/v1/machines/import/:jobId/secrets',
  who: 'operator',
  load: 'file',
  title: { cn: '批量登记生成的密码和密钥', en: 'Get the secrets of an import of devices' },
  request: z.object({ jobId }),
  answer: z.array(machineSecrets),
  errors: ['404'],
})

export const downloadMachineImportSecrets = route({
  method: 'GET',
  path: '/api/operator/v1/machines/import/:jobId/secrets/file',
  who: 'operator',
  load: 'file',
  file: true,
  title: { cn: '下载密码和密钥（Excel）', en: 'Download the secrets of an import of devices as xlsx' },
  request: z.object({ jobId }),
  answer: fileAnswer,
  errors: ['404'],
})

/** Removes the secrets of an import that has ended. They stay where their number is another one. */
export const confirmMachineImport = route({
  method: 'POST',
  path: '/api/operator/v1/machines/import/:jobId/saved',
  who: 'operator',
  title: { cn: '确认已保存密码和密钥', en: 'Confirm that the secrets of an import are saved' },
  request: z.object({ jobId, secrets: z.int().min(0).describe('How many the caller has saved') }),
  answer: nothing,
  errors: ['404', 'IMPORT_SECRETS_CHANGED'],
})
