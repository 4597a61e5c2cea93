import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { limits } from './limits.ts'
import type { GeneralRate, RouteLimit } from './rates.ts'
import type { Text } from './text.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Rights over one machine, weakest first; each includes the ones before it. */
export const machineRights = ['listed', 'holder', 'visitor+', 'bkey+', 'akey'] as const
export type MachineRight = (typeof machineRights)[number]

/**
 * The kinds of ids that name a machine in a request, with the value of the field: an id, a code, or several ids. Each
 * is resolved by the module that declares `machineOf` for it.
 */
export const machineKinds = {
  /** The machine itself. */
  machine: 'id',
  /** Several of them. */
  machines: 'ids',
  code: 'code',
  grant: 'id',
  tags: 'ids',
  /** A maintenance window. */
  maintenance: 'id',
  application: 'id',
  alarm: 'id',
  alarms: 'ids',
  /** A shelving of alarms. */
  shelve: 'id',
  /** A rule that raises alarms. */
  rule: 'id',
} as const
export type MachineKind = keyof typeof machineKinds

interface Held {
  readonly id: number
  readonly code: string
  readonly ids: readonly number[]
}

/** The value that names a machine by this kind. */
export type MachineName<Kind extends MachineKind> = Held[(typeof machineKinds)[Kind]]

/**
 * A right over the machine that the field of one of `machineKinds` names. `refuse: 'audit'`: a refusal is one of
 * `auditErrors` at HTTP 200 instead of a 403. `ticket`: a one-use ticket in this field replaces the right, for a person
 * who has the machine in their list; the route's function proves it. `orMember`: members of the enterprise that owns
 * the machine pass with this right, too, unless the machine's blacklist names them. `admitsReadOnly`: of a call for keys
 * other than GET; see `changesSettings`.
 */
export type MachineWho<Field extends string> = {
  readonly right: MachineRight
  readonly orMember?: MemberRight
  readonly admitsReadOnly?: true
  readonly refuse?: 'audit'
  readonly ticket?: Field
  /** The enterprise the machine must be a device of. */
  readonly eid?: Field
} & { [Kind in MachineKind]: { readonly [Named in Kind]: Field } }[MachineKind]

/** The kind and the field of the id that names the machine in requests of a route. */
export function findMachineField<Field extends string>(
  who: MachineWho<Field>,
): { readonly kind: MachineKind; readonly field: Field } {
  const fields: Partial<Record<string, unknown>> = who
  for (const kind of Object.keys(machineKinds) as MachineKind[]) {
    if (fields[kind] !== undefined) return { kind, field: fields[kind] as Field }
  }
  throw new Error('A right over a machine names no machine.')
}

/** The rights that a member of an enterprise may be given (rules/enterprises.md: member rights). */
export const memberRights = ['view', 'control', 'manage', 'maintain', 'alarm', 'sms', 'project'] as const
export type MemberRight = (typeof memberRights)[number]

/** `member`: everybody in it; `admin`: its owners and administrators, who have every other right as well. */
export type EnterpriseRight = 'member' | MemberRight | 'admin'

/**
 * A right in the enterprise `eid` names; `machine` must be a device of it. `self`: everybody may do it to the user this
 * field names, where that is the caller.
 */
export interface EnterpriseWho<Field extends string> {
  readonly ent: EnterpriseRight
  readonly eid: Field
  readonly machine?: Field
  readonly self?: Field
}

/** The kinds of ids that name a project in a request; each is resolved by the module that declares `projectOf` for it. */
export const projectKinds = ['project', 'destination', 'delivery'] as const
export type ProjectKind = (typeof projectKinds)[number]

/** The levels of a project's people: everybody in it, or its one owner. */
export type ProjectRight = 'member' | 'owner'

/** A right in the project that the field of one of `projectKinds` names. */
export type ProjectWho<Field extends string> = { readonly prj: ProjectRight } & {
  [Kind in ProjectKind]: { readonly [Named in Kind]: Field }
}[ProjectKind]

/** The kind and the field of the id that names the project in requests of a route. */
export function findProjectField<Field extends string>(
  who: ProjectWho<Field>,
): { readonly kind: ProjectKind; readonly field: Field } {
  const fields: Partial<Record<string, unknown>> = who
  for (const kind of projectKinds)
    if (fields[kind] !== undefined) return { kind, field: fields[kind] as Field }
  throw new Error('A right in a project names no project.')
}

/**
 * The permission that a route needs. It has no default: a route without one does not compile. `projectKey`: a project's
 * secret key, which the route's function proves.
 */
export type Who<Field extends string = string> =
  | 'public'
  | 'user'
  | 'operator'
  | 'machine'
  | 'projectKey'
  | MachineWho<Field>
  | EnterpriseWho<Field>
  | ProjectWho<Field>

/** Programs with sessions of a kind of their own, which reach only the routes that name them (rules/accounts.md: programs). */
export const programs = ['connect'] as const
export type Program = (typeof programs)[number]

/** The kinds of calls that may keep the database or the process busy for long. `file`: reads a file or a long body. */
export type Load = 'history' | 'report' | 'search' | 'list' | 'file'

/**
 * Whether a route changes settings of a machine, which a key with read-only access may not do (rules/access.md: acts of
 * keys). Every call for keys does, except a GET, and one that declares `admitsReadOnly` because it only reads, takes a
 * right away, or weighs what the key gives.
 */
export function changesSettings({ method, who }: Pick<Route, 'method' | 'who'>): boolean {
  return (
    method !== 'GET' &&
    typeof who === 'object' &&
    'right' in who &&
    who.right === 'bkey+' &&
    !who.admitsReadOnly
  )
}

type FieldOf<Request extends z.ZodObject> = Extract<keyof z.output<Request>, string>

interface RouteFacts<Request extends z.ZodObject, Answer extends z.ZodType, Code extends ErrorCode> {
  readonly method: Method
  /** Fastify's notation: `/api/v1/data/:machineId/tags`. */
  readonly path: string
  /** Further paths of the same call, for older clients; the API document leaves them out. */
  readonly aliases?: readonly string[]
  /** Further methods at its path and its aliases, for older clients; the API document leaves them out. */
  readonly aliasMethods?: readonly Method[]
  readonly who: Who<FieldOf<Request>>
  /** The programs whose sessions may call it, too; without them only the sessions of people. */
  readonly programs?: readonly Program[]
  /** Path parameters, query and body together: a field has the same name in all of them. */
  readonly request: Request
  readonly answer: Answer
  /** Its own errors, in addition to those of every route. */
  readonly errors: readonly Code[]
  readonly title: Text
  /** Also answers clients that are too old for their brand: they learn here how to update. */
  readonly anyVersion?: true
  /** Answers without the envelope (the API document, health, metrics). */
  readonly bare?: true
  /** Answers a file (`fileAnswer`) instead of the envelope; its failures come in the envelope. */
  readonly file?: true
  /** Wrong fields and the route's own errors are answered at HTTP 200 with this hwcode, or with the bare body 0. */
  readonly failsAs?: 400 | 420 | 'zero'
  /** The route may read a lot: few of each kind run at the same time, of one person and in all. */
  readonly load?: Load
  /** The body may be a JSON array, which is then the value of this field. */
  readonly listBody?: string
  /** The request is `multipart/form-data`: it brings a file. */
  readonly multipart?: true
  /** The longest body in bytes, if it differs from that of `bodyBytesMaxOf`; above 100 kB the route has a `load`. */
  readonly bodyBytesMax?: number
}

/**
 * The longest body of a route, in bytes: 16 kB for strangers, 64 kB for others, or its declared limit
 * (rules/calls.md: bodies).
 */
export function bodyBytesMaxOf({ who, bodyBytesMax }: Pick<Route, 'who' | 'bodyBytesMax'>): number {
  return bodyBytesMax ?? (who === 'public' ? limits.publicBodyBytesMax : limits.signedInBodyBytesMax)
}

/** A route as it is written down. */
export interface RouteDeclaration<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  Code extends ErrorCode,
> extends RouteFacts<Request, Answer, Code> {
  /** The rate that counts it in place of the general one of its callers. */
  readonly countedAs?: 'tiles'
  /** Its limits, in addition to the general rate of its callers (rates.ts). */
  readonly limits?: readonly RouteLimit<FieldOf<Request>>[]
}

export interface Route<
  Request extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodType = z.ZodType,
  Code extends ErrorCode = ErrorCode,
> extends RouteFacts<Request, Answer, Code> {
  /** The general rate of its callers, and its own limits after that. */
  readonly limits: readonly [general: GeneralRate, ...own: RouteLimit[]]
}

/** The input as a caller gives it: defaults may be left out. */
export type RequestOf<R extends Route> = z.input<R['request']>
/** The input as a service gets it: checked, defaults filled in. */
export type InputOf<R extends Route> = z.output<R['request']>
export type AnswerOf<R extends Route> = z.output<R['answer']>

/** Declares a route with its exact types. It is counted under the general rate of its callers at least. */
export function route<
  Request extends z.ZodObject,
  Answer extends z.ZodType,
  const Code extends ErrorCode = never,
>(declaration: RouteDeclaration<Request, Answer, Code>): Route<Request, Answer, Code> {
  const { countedAs, limits = [], ...facts } = declaration
  return { ...facts, limits: [countedAs ?? generalRateOf(declaration.who), ...limits] }
}

function generalRateOf(who: Who): GeneralRate {
  if (who === 'public') return 'publicCalls'
  if (who === 'projectKey') return 'projectCalls'
  return who === 'machine' ? 'machineCalls' : 'calls'
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
  'TOO_MANY_FIELDS',
  'TOO_MUCH_AT_ONCE',
  'CLIENT_TOO_OLD',
] as const satisfies readonly ErrorCode[]

/** Errors every route that changes settings of a machine may answer. */
export const settingsErrors = ['GIVER_READ_ONLY'] as const satisfies readonly ErrorCode[]

/** Errors every route with a load may answer. */
export const loadErrors = ['QUERY_TOO_LARGE'] as const satisfies readonly ErrorCode[]

/** Paths without a version repeat `hwdata` as `result`. */
export function isLegacyPath(path: string): boolean {
  return !path.includes('/v1/')
}
