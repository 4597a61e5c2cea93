import { z } from 'zod'
import { instant, shortText } from './fields.ts'
import { tagLimits, tagTypes } from './tag-limits.ts'

/** Texts by value: `true`, `false`, or a whole number as its digits. */
export const valueTexts = z
  .record(z.string().regex(/^(?:true|false|0|-?[1-9][0-9]{0,18})$/), shortText(1, tagLimits.tagValueTextMax))
  .refine((texts) => Object.keys(texts).length > 0, { message: 'empty' })
  .refine((texts) => Object.keys(texts).length <= tagLimits.tagValueTextsMax, {
    message: `max:${tagLimits.tagValueTextsMax}`,
  })

export const tagSettingFields = {
  name: shortText(1, tagLimits.tagNameTextMax).describe('The name that people read, in every language'),
  unit: shortText(0, tagLimits.tagUnitMax).describe('Empty: none is shown'),
  scale: z.int().min(0).max(tagLimits.tagDigitsMax).describe('Decimal places that are shown'),
  min: z.number().describe('The smallest value that may be written'),
  max: z.number().describe('The largest value that may be written'),
  enum: valueTexts.describe('Texts by value'),
  readAs: z
    .enum(tagTypes)
    .describe('The type of its values, where the device leaves it open or names a text'),
  writable: z.boolean().describe('Whether it may be written, where the device leaves it open'),
}

/** A meter that was replaced, or set to another reading. */
const reading = z.number().min(-1e15).max(1e15)
export const meterChange = z.object({
  at: instant.describe('When it was replaced'),
  from: reading.describe('The last reading of the old meter'),
  to: reading.describe('The first reading of the new one'),
})
export type MeterChange = z.output<typeof meterChange>

/** The settings that the keys of a machine make for one of its tags; omitted fields leave the machine's own. */
export const settingsOfTag = z
  .object(tagSettingFields)
  .partial()
  .extend({
    resets: z.array(meterChange).optional().describe('Meters that were replaced, in the order of time'),
  })
export type TagSettings = z.output<typeof settingsOfTag>
export type TagSettingField = keyof typeof tagSettingFields

/** The machine's own description of a tag. */
export const tagOwn = z.object({
  name: z.string(),
  unit: z.string(),
  scale: z.int().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  enum: z.record(z.string(), z.string()).optional(),
})
export type TagOwn = z.output<typeof tagOwn>
