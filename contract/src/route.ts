import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Text } from './text.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Rights over one machine, weakest first; each includes the ones before it (`calls.md`, *who*). */
export const machineRights = ['listed', 'holder', 'visitor+', 'bkey+', 'akey'] as const
export type MachineRight = (typeof machineRights)[number]

/**
 * A right over the machine a request names: by its id in `machine`, its code in `code`, a grant's id in `grant`, or by
 * ids of its tags in `tags`. `refuse: 'audit'`: a refusal is one of decision 31's codes at HTTP 200 instead of a 403.
 */
export type MachineWho<Field extends string> = {
  readonly right: MachineRight
  readonly refuse?: 'audit'
} & (
  | { readonly machine: Field }
  | { readonly code: Field }
  | { readonly grant: Field }
  | { readonly tags: Field }
)

/** Who may call a route. There is no default: a route without a permission does not compile. */
export type Who<Field extends string = string> =
  | 'public'
  | 'user'
  | 'operator'
  | 'machine'
  | MachineWho<Field>

export interface Route<
  Request extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> {
  readonly method: Method
  /** Fastify's notation: `/api/v1/data/:machineId/tags`. */
  readonly path: string
  readonly who: Who<Extract<keyof z.output<Request>, string>>
  /** Path parameters, query and body together: a field has one name wherever it stands. */
  readonly request: Request
  readonly answer: Answer
  /** Errors of its own, beside those every route may answer. */
  readonly errors: readonly Code[]
  readonly title: Text
  /** Answers without the envelope of decision 1 (the API document, health, metrics). */
  readonly bare?: true
}

/** What a caller gives: defaults may be left out. */
export type RequestOf<R extends Route> = z.input<R['request']>
/** What a service gets: checked, defaults filled in. */
export type InputOf<R extends Route> = z.output<R['request']>
export type AnswerOf<R extends Route> = z.output<R['answer']>

/** Declares a route; the identity function that keeps the exact types. */
export function route<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  const Code extends ErrorCode = never,
>(declaration: Route<Request, Answer, Code>): Route<Request, Answer, Code> {
  return declaration
}

/** Errors every route may answer, beside its own. */
export const commonErrors = [
  '113',
  '400',
  '403',
  '413',
  '429',
  '500',
  '503',
] as const satisfies readonly ErrorCode[]

/** Paths without a version repeat `hwdata` as `result` (decision 1). */
export function isLegacyPath(path: string): boolean {
  return !path.includes('/v1/')
}
