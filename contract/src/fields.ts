import { z } from 'zod'
import { csvDecimals, csvDelimiters } from './csv.ts'
import { type FieldRule, keepsRule } from './form-rules.ts'
import { limits } from './limits.ts'
import { placeSources } from './place-fields.ts'

/** UTF-16 units of the longest character people write, a family of emoji. */
export const longestCharacter = 16
/** Stops at the first failed check of a text: counting the characters of a megabyte takes a second. */
export const stop = { abort: true } as const

/** Marks, among the checks of a text, that people write it for people to read. */
const written = z.trim()

/** Whether an empty text means a wish to empty it, and not a field that was left out. */
export function isWrittenText(schema: z.ZodType): boolean {
  return schema.def.checks?.includes(written) ?? false
}

/** A check of a text by one rule, which forms read from the schema again (`rulesOf`). */
export function byRule<S extends z.ZodString>(schema: S, rule: FieldRule, message: string) {
  return schema.refine((text) => keepsRule(rule, text), { message, params: { rule } })
}

/**
 * A text of `min` characters, at most `max` wide (`textWidth`), after trimming, without control characters and those
 * that turn the writing direction; if not empty, one can see it. Every name that others read is one.
 */
export function shortText(min: number, max: number) {
  const text = z
    .string()
    .max(max * longestCharacter, stop)
    .check(written)
  const seen = byRule(byRule(text, ['visible'], 'unseen'), ['noControls'], 'controlCharacters')
  return byRule(byRule(seen, ['charactersMin', min], `min:${min}`), ['widthMax', max], `max:${max}`)
}

/** A text of several lines, of at most `max` units after trimming; other control characters are refused. */
export const linesText = (max: number) =>
  byRule(z.string().trim().min(1).max(max), ['lines'], 'controlCharacters')

/** Without special characters: a name of a person, a group, a team. */
export const withoutSpecial = <S extends z.ZodString>(schema: S) =>
  byRule(schema, ['noSpecial'], 'specialCharacters')

/** Without the characters of markup: a machine's name, a remark. */
export const withoutMarkup = <S extends z.ZodString>(schema: S) =>
  byRule(schema, ['noMarkup'], 'specialCharacters')

/** A group's name, without special characters. */
export const groupName = withoutSpecial(shortText(1, limits.groupNameMax))

/**
 * Only the length rule of a machine's name and a remark: a client of `machine/update` sends stored texts back, which
 * may be older than the rule for special characters.
 */
export const machineNameText = shortText(1, limits.machineNameMax)
export const remarkText = shortText(0, limits.remarkMax)

/** The name of a machine: in a person's list, in an enterprise, given by its keys or by an operator. */
export const machineName = withoutMarkup(machineNameText)

/** A note beside a name. */
export const remark = withoutMarkup(remarkText)

/** A positive integer below 2^53. */
export const id = z.int().min(1).max(limits.idMax)

/** The enterprise of a space; absent, 0 or, in a form, empty: the caller's personal space. */
export const eidOrPersonal = z
  .int()
  .min(0)
  .max(limits.idMax)
  .transform((eid) => eid || undefined)
  .optional()

/** One group's id, or all of them: `ALL`, 0, or nothing. */
export const groupOrAll = z
  .union([z.literal('ALL'), z.literal(0), id])
  .transform((group) => group || 'ALL')
  .default('ALL')

/** 19 digits, always a string: the number does not fit a double (rules/machines.md: machine code). */
export const machineCode = z.string().regex(/^[0-9]{19}$/, { message: 'machineCode' })

/** Epoch milliseconds. */
export const instant = z.int().min(0).max(8_640_000_000_000_000)

/** Where a machine is, in lists of machines. */
export const placeFields = {
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  accuracy: z.number().nullable(),
  source: z.enum(placeSources).nullable(),
  placedAt: instant.nullable(),
}

/** An IANA time zone that this runtime supports, such as `Asia/Shanghai`. */
export const timeZone = z.string().max(64, stop).refine(isTimeZone, { message: 'timeZone' })

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

export const page = z.int().min(1).max(1_000_000).default(1)
export const pageSize = (standard: number, max: number = limits.listPageMax) =>
  z.int().min(1).max(max).default(standard)

/** `{list, total, page, pageSize}` of rows. */
export function paged<T extends z.ZodType>(row: T) {
  return z.object({ list: z.array(row), total: z.int(), page: z.int(), pageSize: z.int() })
}

export const terminalId = z.string().min(1).max(limits.terminalUuidMax)
export const terminalType = z
  .int()
  .min(1)
  .max(4)
  .describe('1 computer, 2 phone or tablet, 3 TV box, 4 program; without it as the user agent says')
export const nothing = z.object({})

/** How a csv file that the platform answers is written (`CsvWish`). */
export const csvWish = {
  delimiter: z.enum(csvDelimiters).default('comma').describe('Of a csv file'),
  decimal: z.enum(csvDecimals).default('point').describe('The decimal sign of a csv file'),
}
