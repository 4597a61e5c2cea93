import { bodyBytesMaxOf, formToInput, jsonToInput, type Route } from '@busbar/contract'
import { z } from 'zod'
import { readsQuery } from './ask.ts'

/** Values that a form or a script may send in place of a text. */
export const hostileTexts = {
  'right-to-left': '\u202egpj.exe\u202c',
  'zero width': 'a\u200b\u200d\ufeffb',
  script: '<script>alert(1)</script>',
  formula: '=1+1',
  'command formula': "+cmd|' /C calc'!A0",
  emoji: '👩‍🏭🔧',
  quotes: `'"\\;--%_`,
  Chinese: '冲压机',
} as const

/** Values of other types than text, number or list, and texts that no field accepts or that any may. */
const anything: Readonly<Record<string, unknown>> = {
  null: null,
  number: 1,
  fraction: 1.5,
  'empty text': '',
  'list of texts': ['a'],
  'list of lists': [[[]]],
  NUL: 'a\0b',
  'half a character': 'a\ud800',
  'control characters': 'a\u0007\u001b[2Jb',
  'nothing to see': '\u200b\u3164',
  mixed: `=1\u202e\u200b👩‍🏭'`,
}
/** Beside the one long text of a body. */
const otherBytesMax = 6_000

/** One request, with one changed field. */
export interface Hostile {
  readonly what: string
  readonly field: string
  readonly request: Readonly<Record<string, unknown>>
  /** Whether the route's own schema takes it. */
  readonly fits: boolean
}

/** A good request with each of its fields, in turn, as it should not be, and as far as it may go. */
export function listHostile(route: Route, good: Readonly<Record<string, unknown>>): Hostile[] {
  const fields = Object.entries(route.request.shape) as [string, z.ZodType][]
  const texts = fields.filter(([, schema]) => schema.type !== 'file')
  return texts.flatMap(([field, schema], place) => {
    // A full body is sent once for each route, in its last text field.
    const longest = place === texts.length - 1 ? bodyBytesMaxOf(route) - otherBytesMax : 0
    const large = longest > 0 ? { 'a full body': 'x'.repeat(longest) } : {}
    const values = Object.entries({ ...anything, ...limitsOf(schema), ...large })
    const isText = readsQuery(route) || route.multipart || route.path.includes(`:${field}`)
    return values
      .filter(([, value]) => !isText || isOfAddress(value))
      .filter(([, value]) => !isAbsent(schema, value) || otherNames(route, field).length === 0)
      .map(([what, value]) => {
        const others = otherNames(route, field)
        const rest = Object.entries(good).filter(([name]) => !others.includes(name))
        const request = { ...Object.fromEntries(rest), [field]: value }
        return { what, field, request, fits: fits(route, request) }
      })
  })
}

/**
 * The fields that name a person or an enterprise in place of this one, where a request has any of them: two at once are
 * refused for the other. A request without any is refused for the account.
 */
function otherNames({ request }: Route, field: string): string[] {
  const names = ['account', 'userId', 'eid'].filter((name) => request.shape[name]?.isOptional())
  return names.includes('account') && names.includes(field) ? names.filter((name) => name !== field) : []
}

/** Whether a value counts as a field that was left out: an empty text, `eid` 0. */
function isAbsent(schema: z.ZodType, value: unknown): boolean {
  const read = schema.safeParse(value)
  return value === '' || (read.success && read.data === undefined)
}

/** An address and a form carry texts only, an address no half characters and no long one. */
function isOfAddress(value: unknown): boolean {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length < 4_000 && text.isWellFormed()
}

function fits(route: Route, request: Readonly<Record<string, unknown>>): boolean {
  const input =
    readsQuery(route) || route.multipart
      ? formToInput(route.request, asTexts(request))
      : jsonToInput(route.request, request)
  return route.request.safeParse(input).success && !/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(input))
}

const asTexts = (request: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(request).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.map(String) : String(value)]],
    ),
  )

/** The longest text and list, the smallest and largest number a field takes, and one more of each. */
function limitsOf(schema: z.ZodType): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const letter of ['a', '字', '👨‍👩‍👧‍👦']) {
    const most = longest(schema, (length) => letter.repeat(length))
    if (most === 0) continue
    found[`most of ${letter}`] = letter.repeat(most)
    found[`one more ${letter}`] = letter.repeat(most + 1)
  }
  const { minimum, maximum } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  if (minimum !== undefined) Object.assign(found, { 'smallest number': minimum, 'one less': minimum - 1 })
  if (maximum !== undefined) Object.assign(found, { 'largest number': maximum, 'one more': maximum + 1 })
  return found
}

/** The most characters of a text a field takes; 0: none. */
function longest(schema: z.ZodType, textOf: (length: number) => string): number {
  const takes = (length: number) => schema.safeParse(textOf(length)).success
  // Every text a field takes at all is taken at one of these lengths.
  const start = [1, 2, 4, 6, 8, 16].find(takes)
  if (start === undefined || takes(20_000)) return 0
  let [least, most] = [start, 20_000]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (takes(middle)) least = middle
    else most = middle
  }
  return least
}
