import { z } from 'zod'
import { limits } from './limits.ts'
import { countCharacters } from './text.ts'

/** A text of `min` to `max` characters after trimming, without control characters. */
export function shortText(min: number, max: number) {
  return z
    .string()
    .max(max * 16)
    .trim()
    .refine((text) => !/\p{Cc}/u.test(text), { message: 'controlCharacters' })
    .refine((text) => countCharacters(text) >= min, { message: `min:${min}` })
    .refine((text) => countCharacters(text) <= max, { message: `max:${max}` })
}

/** A positive integer below 2^53 (decision 3). */
export const id = z.int().min(1).max(limits.idMax)

/** 19 digits, always a string: the number does not fit a double (decision 3). */
export const machineCode = z.string().regex(/^[0-9]{19}$/, { message: 'machineCode' })

/** Epoch milliseconds (decision 4). */
export const instant = z.int().min(0).max(8_640_000_000_000_000)

/** An IANA time zone this runtime knows, such as `Asia/Shanghai`. */
export const timeZone = z.string().max(64).refine(isTimeZone, { message: 'timeZone' })

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
export const nothing = z.object({})
