import {
  ApiError,
  type FieldRule,
  type FieldRules,
  type FormRules,
  findBrokenRule,
  type Lang,
  type RuleName,
  readText,
  textWidth,
} from '@busbar/contract'
import { refusalWords } from '../../api/refusal-words.ts'
import { formatNumber } from '../../i18n/format.ts'
import type { Text } from '../../i18n/text.ts'

export type Values = Readonly<Record<string, unknown>>
/** Problems by field, in the caller's language. */
export type Problems<V extends Values> = Partial<Record<keyof V & string, string>>

/** A form's own words for a broken rule; the rest are the same everywhere. */
export type RuleWords = Partial<Record<RuleName, string>>

export interface FormTerms<V extends Values> {
  readonly rules: FormRules
  /** The request's name of a field, if it differs. */
  readonly names?: Partial<Record<keyof V & string, string>> | undefined
  readonly words?: Partial<Record<keyof V & string, RuleWords>> | undefined
  /** Fields that must be filled in here, although the call can do without them. */
  readonly required?: readonly (keyof V & string)[] | undefined
}

type Words = Pick<Text, 'app' | 'form'>

/** The problems that the contract's rules find in the values, by field. */
export function findProblems<V extends Values>(values: V, terms: FormTerms<V>, words: Words): Problems<V> {
  const problems: Problems<V> = {}
  for (const field of Object.keys(values) as (keyof V & string)[]) {
    const problem = findProblem(field, values[field], terms, words)
    if (problem !== undefined) problems[field] = problem
  }
  return problems
}

/** The problem that the contract's rules find in one field. */
export function findProblem<V extends Values>(
  field: keyof V & string,
  value: unknown,
  { rules, names, words: own, required }: FormTerms<V>,
  words: Words,
): string | undefined {
  if (required?.includes(field) && String(value ?? '').trim() === '')
    return own?.[field]?.required ?? words.form.required
  const fieldRules = rules[names?.[field] ?? field]
  const broken = fieldRules && findBrokenRule(fieldRules, value)
  if (!broken) return undefined
  return own?.[field]?.[broken[0]] ?? describeRule(broken, fieldRules, value, words)
}

function describeRule(rule: FieldRule, field: FieldRules, value: unknown, { app, form: t }: Words): string {
  switch (rule[0]) {
    case 'required':
      return t.required
    case 'charactersMin':
    case 'unitsMin':
      return t.atLeast(rule[1])
    case 'charactersMax':
    case 'unitsMax':
      return t.atMost(rule[1])
    case 'widthMax':
      return app.tooLong(textWidth(readText(field, String(value))), rule[1])
    case 'visible':
      return t.visible
    case 'noControls':
    case 'lines':
      return t.noControls
    case 'noMarkup':
      return app.nameSpecial
    case 'noSpecial':
      return t.noSpecial
    case 'pattern':
      return t.patterns[rule[1]] ?? t.format
    case 'numberMin':
      return t.numberMin(formatNumber(rule[1]))
    case 'numberMax':
      return t.numberMax(formatNumber(rule[1]))
    case 'whole':
      return t.whole
  }
}

export interface Refusal<V extends Values> {
  readonly problems: Problems<V>
  /** The part that concerns no field; undefined also where the console reports it everywhere alike. */
  readonly general: string | undefined
}

interface RefusalTerms<V extends Values> {
  readonly names?: Partial<Record<keyof V & string, string>> | undefined
  /** The field to which an error code, or a field of the request, belongs. */
  readonly errorFields?: Readonly<Record<string, keyof V & string>> | undefined
  /** The form's own words for a refusal. */
  readonly explain?: ((error: ApiError, values: V) => string | undefined) | undefined
  readonly failed: string
}

/** Refusals of the platform, beside their fields, in the caller's language. */
export function readRefusal<V extends Values>(
  error: unknown,
  values: V,
  { names, errorFields, explain, failed }: RefusalTerms<V>,
  lang: Lang,
): Refusal<V> {
  // An error without a code is not a refusal: the platform did not answer.
  if (!(error instanceof ApiError) || error.code === '') return { problems: {}, general: failed }
  const own = explain?.(error, values)
  const text = own ?? refusalWords(error, lang) ?? error.message
  const fields = Object.keys(values) as (keyof V & string)[]
  const field =
    errorFields?.[error.code] ??
    errorFields?.[error.field ?? ''] ??
    (error.field === undefined ? undefined : fields.find((name) => (names?.[name] ?? name) === error.field))
  if (field !== undefined) return { problems: { [field]: text } as Problems<V>, general: undefined }
  // Any other status has its own notice, whatever call it comes from.
  return { problems: {}, general: error.http === 200 ? text : own }
}

/** Whether two values of a field are the same: lists and objects by what they hold. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, place) => isSameValue(one, b[place]))
  if (isPlain(a) && isPlain(b))
    return Object.keys({ ...a, ...b }).every((field) => isSameValue(a[field], b[field]))
  return Object.is(a, b)
}

const isPlain = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
