import { z } from 'zod'
import { csvWish, id, nothing } from './fields.ts'
import { route } from './route.ts'
import { meterChange, settingsOfTag, tagSettingFields } from './tag-fields.ts'
import { tagLimits } from './tag-limits.ts'

const ofKeys = { right: 'bkey+', machine: 'machineId' } as const

/** Why settings do not fit a tag. */
export const tagFaults = [
  'TAG_DIGITS_TYPE',
  'TAG_LIMITS_TYPE',
  'TAG_LIMITS_ORDER',
  'TAG_LIMITS_DEVICE',
  'TAG_VALUES_TYPE',
  'TAG_TYPE_DEVICE',
  'TAG_WRITABLE_DEVICE',
  'TAG_RESETS_TYPE',
] as const
export type TagFault = (typeof tagFaults)[number]

/** Null resets a field to the machine's own; omitted fields stay. */
export const setTag = route({
  method: 'PUT',
  path: '/api/v1/data/:machineId/tags/:tagId',
  who: ofKeys,
  title: { cn: '修改变量', en: 'Change a variable' },
  request: z.object({
    machineId: id,
    tagId: id,
    name: tagSettingFields.name.nullable().optional(),
    unit: tagSettingFields.unit.nullable().optional(),
    scale: tagSettingFields.scale.nullable().optional(),
    min: tagSettingFields.min.nullable().optional(),
    max: tagSettingFields.max.nullable().optional(),
    enum: tagSettingFields.enum.nullable().optional(),
    readAs: tagSettingFields.readAs.nullable().optional(),
    writable: tagSettingFields.writable.nullable().optional(),
  }),
  answer: nothing,
  errors: ['404', ...tagFaults],
})

/** Tells that a meter was replaced; another of the same instant takes its place. */
export const setTagReset = route({
  method: 'PUT',
  path: '/api/v1/data/:machineId/tags/:tagId/resets',
  who: ofKeys,
  title: { cn: '登记换表', en: 'Record the replacement of a meter' },
  request: z.object({ machineId: id, tagId: id, ...meterChange.shape }),
  answer: nothing,
  errors: ['404', 'TAG_RESETS_TYPE', 'TAG_RESETS_MANY'],
})

export const removeTagReset = route({
  method: 'DELETE',
  path: '/api/v1/data/:machineId/tags/:tagId/resets/:at',
  who: ofKeys,
  title: { cn: '删除换表记录', en: 'Remove the replacement of a meter' },
  request: z.object({ machineId: id, tagId: id, at: meterChange.shape.at }),
  answer: nothing,
  errors: ['404'],
})

export const exportTags = route({
  method: 'GET',
  path: '/api/v1/data/tags/csv',
  who: { right: 'visitor+', machine: 'machineId' },
  title: { cn: '导出变量表', en: 'Export the variables of a device' },
  request: z.object({ machineId: id, ...csvWish }),
  answer: z.object({ csv: z.string().describe('A file for spreadsheets, one line a variable') }),
  errors: [],
})

/** Why a line of a file changes nothing. */
export const tagLineRefusals = ['tagUnknown', 'tagTwice', 'line', ...tagFaults] as const
export type TagLineRefusal = (typeof tagLineRefusals)[number]

const changed = z.object({
  line: z.int(),
  tagId: id,
  before: settingsOfTag.describe('The settings before'),
  after: settingsOfTag,
})
export type TagLineChange = z.output<typeof changed>

const tagImport = z.object({
  applied: z.boolean().describe('False also where a line is refused: then nothing is changed'),
  changes: z.int().describe('How many variables change'),
  unchanged: z.int().describe('How many lines change nothing'),
  faults: z.int().describe('How many lines are refused'),
  changed: z.array(changed).describe('The first of them'),
  refused: z
    .array(
      z.object({
        line: z.int(),
        reason: z.enum(tagLineRefusals),
        column: z.string().describe('The column that is wrong; empty: the line as a whole'),
      }),
    )
    .describe('The first of them'),
})
export type TagImport = z.output<typeof tagImport>

/** Changes all lines of a file, or nothing. */
export const importTags = route({
  method: 'POST',
  path: '/api/v1/data/tags/csv',
  who: ofKeys,
  title: { cn: '导入变量表', en: 'Import variables of a device' },
  request: z.object({
    machineId: id,
    csv: z
      .string()
      .max(tagLimits.tagFileCharactersMax)
      .describe('A file as the export gives it; columns that are left out stay as they are'),
    apply: z.boolean().default(false).describe('Without it the changes are only listed'),
  }),
  answer: tagImport,
  errors: ['TAG_FILE_UNREADABLE', 'TAG_FILE_TOO_LONG', 'TABLE_UNREADABLE'],
  limits: ['imports'],
  load: 'file',
  bodyBytesMax: tagLimits.tagFileBytesMax,
})
