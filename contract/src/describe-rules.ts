import type { z } from 'zod'
import type { FieldRule, FieldRules, FormRules } from './form-rules.ts'
import type { Route } from './route.ts'

/**
 * The rules of a request's fields that a person fills in, read from its schema. Those of a field within another are
 * under both names (`platformName.cn`), those of each text of a list under the list's (`hosts[]`).
 */
export function rulesOf({ request }: Pick<Route, 'request'>): FormRules {
  return Object.fromEntries(rulesWithin(request).filter(([, { rules }]) => rules.length > 0))
}

function rulesWithin({
  shape,
}: {
  readonly shape: Readonly<Record<string, z.ZodType>>
}): [name: string, FieldRules][] {
  return Object.entries<z.ZodType>(shape).flatMap(([name, schema]) => {
    const { type, shape: inner, element } = definition(schema)
    if (type === 'object' && inner)
      return rulesWithin({ shape: inner }).map(([each, rules]): [string, FieldRules] => [
        `${name}.${each}`,
        rules,
      ])
    if (type === 'array' && element && definition(element).type === 'string')
      return [[`${name}[]`, describeField(element)]]
    return [[name, describeField(schema)]]
  })
}

interface Def {
  readonly type: string
  readonly check?: string
  readonly format?: string
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly shape?: Record<string, z.ZodType>
  readonly element?: z.ZodType
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[]
  readonly pattern?: RegExp
}

interface CheckDef {
  readonly check?: string
  readonly format?: string
  readonly maximum?: number
  readonly minimum?: number
  readonly length?: number
  readonly value?: number
  readonly pattern?: RegExp
  readonly tx?: (value: unknown) => unknown
  readonly params?: { readonly rule?: FieldRule }
  readonly error?: (issue: object) => unknown
}

const definition = (schema: z.ZodType): Def => schema._zod.def as unknown as Def

/** The rules of one field. Checks that need code stay with the platform. */
export function describeField(schema: z.ZodType): FieldRules {
  const def = definition(schema)
  if (def.type === 'optional' || def.type === 'default' || def.type === 'nullable') {
    const inner = def.innerType ? describeField(def.innerType) : { rules: [] }
    return { ...inner, rules: inner.rules.filter(([name]) => name !== 'required') }
  }
  if (def.type === 'pipe' && def.in) return describeField(def.in)
  if (def.type === 'number') return { rules: [['required'], ...numberRules(def)] }
  if (def.type !== 'string') return { rules: [] }
  const checks = [def as CheckDef, ...(def.checks ?? []).map(({ _zod }) => _zod.def)]
  const readings = checks.flatMap(({ tx }) => (tx ? [tx(' A ')] : []))
  const isEmptyTaken = schema.safeParse('').success
  return {
    ...(readings.some((text) => typeof text === 'string' && text.trim() === text) && { trims: true }),
    ...(readings.some((text) => typeof text === 'string' && text.toLowerCase() === text) && { lowers: true }),
    rules: withoutEchoes([...(isEmptyTaken ? [] : [['required'] as const]), ...checks.flatMap(textRules)]),
  }
}

/**
 * Without rules that repeat others: at least one character of a required text, and the units that keep the platform
 * from counting the characters of a megabyte.
 */
function withoutEchoes(rules: readonly FieldRule[]): FieldRule[] {
  const isCounted = rules.some(([name]) => name === 'widthMax' || name === 'charactersMax')
  return rules.filter(
    (rule) =>
      !((rule[0] === 'charactersMin' || rule[0] === 'unitsMin') && rule[1] <= 1) &&
      !(rule[0] === 'unitsMax' && isCounted),
  )
}

function textRules(check: CheckDef): FieldRule[] {
  const { maximum, minimum, length, pattern } = check
  switch (check.check) {
    case 'max_length':
      return maximum === undefined ? [] : [['unitsMax', maximum]]
    case 'min_length':
      return minimum === undefined ? [] : [['unitsMin', minimum]]
    case 'length_equals':
      return length === undefined
        ? []
        : [
            ['unitsMin', length],
            ['unitsMax', length],
          ]
    case 'string_format':
      return pattern
        ? [['pattern', String(check.error?.({}) ?? check.format), pattern.source, pattern.flags]]
        : []
    case 'custom':
      return check.params?.rule ? [check.params.rule] : []
    default:
      return []
  }
}

function numberRules({ checks = [], format }: Def): FieldRule[] {
  const whole: FieldRule[] = format === 'safeint' ? [['whole']] : []
  return [
    ...whole,
    ...checks.flatMap(({ _zod: { def } }): FieldRule[] => {
      if (def.value === undefined) return []
      if (def.check === 'greater_than') return [['numberMin', def.value]]
      return def.check === 'less_than' ? [['numberMax', def.value]] : []
    }),
  ]
}
