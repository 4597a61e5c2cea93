import type { z } from 'zod'
import { isWrittenText } from './fields.ts'
import { isJsonTooLarge } from './json-nodes.ts'
import { limits } from './limits.ts'

type Raw = Record<string, unknown>

/**
 * Turns the strings of a form or a query into the schema's types. A string that does not look like the type stays a
 * string, so that validation names the field. Lists are repeated keys, with or without brackets, or a JSON array
 * string. An empty text stays empty in a field for written texts; an empty number, id, choice or password is absent
 * (rules/calls.md: forms and json).
 */
export function formToInput(schema: z.ZodObject, form: Raw): Raw {
  return mapFields(schema, withBracketLists(schema, form), convert)
}

/**
 * Reads values in a JSON body that do not fit the schema as if a form had sent them: the same clients send both, with a
 * number in place of digits and an empty text in place of an absent field.
 */
export function jsonToInput(schema: z.ZodObject, body: Raw): Raw {
  return mapFields(schema, body, (field, value) =>
    field.safeParse(value).success ? value : convert(field, value),
  )
}

function mapFields(schema: z.ZodObject, given: Raw, map: (field: z.ZodType, value: unknown) => unknown): Raw {
  const input: Raw = {}
  for (const [name, value] of Object.entries(pickFields(schema, given)))
    input[name] = map(schema.shape[name] as z.ZodType, value)
  return input
}

/**
 * The schema's own fields of a stranger's input; others are ignored. A stranger's name is never used as a key: an
 * object answers to `constructor` and `__proto__` as well.
 */
export function pickFields(schema: z.ZodObject, given: Raw): Raw {
  const names = Object.keys(schema.shape).filter((name) => Object.hasOwn(given, name))
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

/** `ids[]=1&ids[]=2` and `ids[0]=1`, as axios and qs write the list `ids`. */
function withBracketLists(schema: z.ZodObject, form: Raw): Raw {
  const lists = new Map<string, unknown[]>()
  for (const [key, value] of Object.entries(form)) {
    const name = /^(.+)\[\d*\]$/.exec(key)?.[1]
    if (name === undefined || Object.hasOwn(form, name) || !Object.hasOwn(schema.shape, name)) continue
    if (!isList(schema.shape[name] as z.ZodType)) continue
    const list = lists.get(name) ?? []
    lists.set(name, list)
    list.push(...[value].flat())
  }
  return lists.size > 0 ? { ...form, ...Object.fromEntries(lists) } : form
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
  if (def.innerType) {
    const mayBeAbsent = def.type === 'optional' || def.type === 'default'
    if (value === '' && mayBeAbsent && !keepsEmpty(schema)) return undefined
    return convert(def.innerType, value)
  }
  if (def.in) return convert(def.in, value)
  if (def.type === 'array' && def.element) {
    const element = def.element
    return listOf(value).map((item) => convert(element, item))
  }
  // From JSON: a form has only texts.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return convert(schema, String(value))
  if (typeof value !== 'string') return value
  if (def.type === 'union' && def.options) return convertUnion(def.options, value)
  if (def.type === 'number') return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : value
  if (def.type === 'boolean') return toBoolean(value)
  if (def.type === 'literal') return def.values?.find((literal) => String(literal) === value) ?? value
  if (def.type === 'object') return parseJson(value)
  return value
}

/**
 * Whether an empty text has a meaning: it is one of the field's values, a text that may not be empty, or an empty list.
 * A list that is named and empty is not absent: if an absent one means all, all would be cleared.
 */
function keepsEmpty(schema: z.ZodType): boolean {
  return schema.safeParse('').success || isWrittenText(unwrap(schema)) || isList(schema)
}

const isList = (schema: z.ZodType): boolean => definition(unwrap(schema)).type === 'array'

function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType, in: input } = definition(schema)
  const inner = innerType ?? input
  return inner ? unwrap(inner) : schema
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
