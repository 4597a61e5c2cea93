import type { z } from 'zod'
import { isJsonTooLarge } from './json-nodes.ts'
import { limits } from './limits.ts'

type Raw = Record<string, unknown>

/**
 * Turns the strings of a form or a query into the schema's types (decision 2). What does not look like the
 * type stays a string, so that validation names the field. Lists are repeated keys or a JSON array string.
 */
export function formToInput(schema: z.ZodObject, form: Raw): Raw {
  const input: Raw = {}
  for (const [name, value] of Object.entries(pickFields(schema, form)))
    input[name] = convert(schema.shape[name] as z.ZodType, value)
  return input
}

/**
 * The schema's own fields of what a stranger sent; others are ignored. A stranger's name never looks anything up: an
 * object answers to `constructor` and `__proto__` as well.
 */
export function pickFields(schema: z.ZodObject, given: Raw): Raw {
  const names = Object.keys(schema.shape).filter((name) => Object.hasOwn(given, name))
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

interface Def {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
  options?: z.ZodType[]
  values?: unknown[]
}

const definition = (schema: z.ZodType): Def => schema._zod.def as unknown as Def

function convert(schema: z.ZodType, value: unknown): unknown {
  const def = definition(schema)
  if (def.innerType)
    return value === '' && def.type === 'optional' ? undefined : convert(def.innerType, value)
  if (def.in) return convert(def.in, value)
  if (def.type === 'array' && def.element) {
    const element = def.element
    return listOf(value).map((item) => convert(element, item))
  }
  if (typeof value !== 'string') return value
  if (def.type === 'union' && def.options) return convertUnion(def.options, value)
  if (def.type === 'number') return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : value
  if (def.type === 'boolean') return toBoolean(value)
  if (def.type === 'literal') return def.values?.find((literal) => String(literal) === value) ?? value
  if (def.type === 'object') return parseJson(value)
  return value
}

function convertUnion(options: z.ZodType[], value: string): unknown {
  for (const option of options) {
    const converted = convert(option, value)
    if (option.safeParse(converted).success) return converted
  }
  return value
}

function toBoolean(value: string): unknown {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  return value
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && value.startsWith('[')) {
    const parsed = parseJson(value)
    if (Array.isArray(parsed)) return parsed
  }
  return value === '' ? [] : [value]
}

function parseJson(text: string): unknown {
  try {
    if (isJsonTooLarge(text, limits.jsonNodesMax)) return text
    return JSON.parse(text)
  } catch {
    return text
  }
}
