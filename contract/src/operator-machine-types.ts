import { z } from 'zod'
import { readCodePattern } from './code-pattern.ts'
import { id, machineCode, nothing, paged, shortText, stop } from './fields.ts'
import { limits } from './limits.ts'
import { builtInPictures, photoUrl } from './machine-types.ts'
import { paging } from './operator-paging.ts'
import { route } from './route.ts'

const pattern = z
  .string()
  .max(limits.codePatternCharactersMax, stop)
  .refine((text) => !('wrong' in readCodePattern(text)), { message: 'codePattern' })

const nameText = shortText(1, limits.machineTypeNameMax)

const fields = {
  type: shortText(1, limits.machineTypeMax).describe('The type that such devices are registered as'),
  name: z.object({ cn: nameText, en: nameText }),
  pattern: pattern.describe(
    'Further devices, by their codes: 8612*, 8600-8699, 19 places with ? for a digit',
  ),
  picture: z
    .union([z.enum(builtInPictures), photoUrl])
    .describe('One of the platform’s own, or one uploaded for this'),
  place: z
    .int()
    .min(1)
    .max(limits.machineTypesMax)
    .describe('Codes that several have are those of the first'),
}

const machineTypeRow = z.object({
  id,
  ...fields,
  image: z.string().describe('The address of its picture'),
  icon: z.string(),
  losesTo: z
    .array(z.object({ id, name: fields.name, code: machineCode.describe('One of the codes both have') }))
    .describe('Those before it that have some of its codes'),
})
export type MachineTypeRow = z.output<typeof machineTypeRow>

const machineTypeFields = z.object(fields)
export type MachineTypeFields = z.output<typeof machineTypeFields>

export const machineTypeOrders = ['place', 'name', 'type'] as const

export const listMachineTypes = route({
  method: 'GET',
  path: '/api/operator/v1/machine-types',
  who: 'operator',
  title: { cn: '设备类型列表', en: 'List device types' },
  request: z.object({
    ...paging,
    sort: z.enum(machineTypeOrders).default('place'),
    only: z
      .enum(['patterns', 'overlaps'])
      .optional()
      .describe('Those with a pattern, or that lose codes to others'),
  }),
  answer: paged(machineTypeRow).extend({
    builtIn: z
      .array(z.object({ picture: z.enum(builtInPictures), image: z.string(), icon: z.string() }))
      .describe('The pictures that the platform brings'),
  }),
  errors: [],
})

export const createMachineType = route({
  method: 'POST',
  path: '/api/operator/v1/machine-types',
  who: 'operator',
  title: { cn: '新建设备类型', en: 'Add a device type' },
  request: machineTypeFields,
  answer: z.object({ id }),
  errors: ['MACHINE_TYPE_TAKEN', 'MACHINE_TYPES_FULL', 'PICTURE_UNKNOWN'],
})

export const updateMachineType = route({
  method: 'PUT',
  path: '/api/operator/v1/machine-types/:id',
  who: 'operator',
  title: { cn: '修改设备类型', en: 'Edit a device type' },
  request: machineTypeFields.extend({ id }),
  answer: nothing,
  errors: ['404', 'MACHINE_TYPE_TAKEN', 'PICTURE_UNKNOWN'],
})

/** Removes a machine type. Its machines get the picture of the next type that fits, or the general one. */
export const removeMachineType = route({
  method: 'DELETE',
  path: '/api/operator/v1/machine-types/:id',
  who: 'operator',
  title: { cn: '删除设备类型', en: 'Delete a device type' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['404'],
})

export const findMachineType = route({
  method: 'GET',
  path: '/api/operator/v1/machine-types/of-code',
  who: 'operator',
  title: { cn: '查询机器码的类型', en: 'Get the device type of a machine code' },
  request: z.object({ code: machineCode }),
  answer: z.object({
    machineType: machineTypeRow.nullable().describe('Null: no type fits, and it gets the general picture'),
    by: z.enum(['code', 'type']).nullable().describe('Whether its code decides, or what it says it is'),
    registered: z.boolean(),
    saysType: z.string().describe('The type it is registered as; empty: not registered'),
  }),
  errors: [],
})
