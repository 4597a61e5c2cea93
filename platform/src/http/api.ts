import {
  chooseLang,
  type EnterpriseRight,
  type EnterpriseWho,
  type ErrorCode,
  formToInput,
  type InputOf,
  type Lang,
  type MachineWho,
  type Route,
} from '@busbar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isHttps } from '../config.ts'
import type { BrandDirectory } from '../modules/brands/index.ts'
import type { Binding, CallContext, SignedIn } from './bind.ts'
import { readCookie } from './cookies.ts'
import { refusal, success } from './envelope.ts'
import { Failure } from './failure.ts'
import { acceptForms, SentForm } from './multipart.ts'
import { isSameOrigin, readCredential } from './session-reader.ts'

/** What the doors need from the modules to decide who may pass. */
export interface Guards {
  /** The session of a token on a brand's host, or nothing when it is unknown there, expired or revoked. */
  findSession(token: string, now: number, brandId: number): Promise<SignedIn | undefined>
  isOperator(userId: number): Promise<boolean>
  readonly brands: Pick<BrandDirectory, 'find' | 'hasHost'>
  /** True when the user has the right over every named machine now. */
  hasMachineRight(
    userId: number,
    right: MachineWho<string>['right'],
    machineIds: readonly number[],
    now: number,
  ): Promise<boolean>
  /** Why the user has not that right now: a code of decision 31. */
  whyNot(
    userId: number,
    machineId: number,
    now: number,
    right: MachineWho<string>['right'],
  ): Promise<ErrorCode>
  machineOfCode(code: string): Promise<number | undefined>
  machineOfGrant(grantId: number): Promise<number | undefined>
  /** The machines of tags; undefined when one of the tags does not exist. */
  machinesOfTags(tagIds: readonly number[]): Promise<number[] | undefined>
  machineOfMaintenance(windowId: number): Promise<number | undefined>
  machineOfApplication(applicationId: number): Promise<number | undefined>
  hasEnterpriseRight(userId: number, eid: number, right: EnterpriseRight): Promise<boolean>
  /** True when every machine is one of the enterprise's devices. */
  areDevicesOf(eid: number, machineIds: readonly number[]): Promise<boolean>
}

/** Puts declared routes behind HTTP: language, session, permission, validation, envelope. */
export function registerBindings(
  app: FastifyInstance,
  bindings: readonly Binding[],
  guards: Guards,
  config: Config,
  clock: () => number,
): void {
  const publicOrigin = config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : undefined
  void app.register(async (scope) => {
    acceptForms(scope)
    for (const binding of bindings.filter(({ route }) => route.multipart)) register(scope, binding)
  })
  for (const binding of bindings.filter(({ route }) => !route.multipart)) register(app, binding)

  function register(scope: FastifyInstance, { route, run }: Binding): void {
    if (route.who === 'machine') throw new Error(`${route.path}: machine routes have a door of their own`)
    const admit = (request: FastifyRequest, now: number) =>
      authenticate(request, route, guards, { now, https: isHttps(config), publicOrigin })
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const now = clock()
      const user = await admit(request, now)
      try {
        const input = readInput(route, request, await readBody(request))
        await authorize(route, user, input, guards, now)
        const brand = guards.brands.find(request.host)
        const context = { ...callContext(request, reply, now), brand, user }
        const data = await run(input as never, context as never)
        reply.header('cache-control', 'no-store')
        return success(route, data)
      } catch (error) {
        const body = refusal(route, error, langOf(request))
        if (body === undefined) throw error
        reply.header('cache-control', 'no-store')
        return body
      }
    }
    for (const url of [route.path, ...(route.aliases ?? [])]) {
      scope.route({
        method: route.method,
        url,
        handler: answer,
        // Of a stranger no file is taken into memory; who sends one for a minute may be signed out by its end.
        ...(route.multipart ? { onRequest: async (request) => void (await admit(request, clock())) } : {}),
      })
    }
  }
}

/** The caller's language: `lang` of the query, then Accept-Language. */
export function langOf(request: FastifyRequest): Lang {
  const query = request.query as Record<string, unknown> | undefined
  return chooseLang(
    typeof query?.lang === 'string' ? query.lang : undefined,
    request.headers['accept-language'],
  )
}

function callContext(request: FastifyRequest, reply: FastifyReply, now: number): Omit<CallContext, 'brand'> {
  return {
    lang: langOf(request),
    address: request.ip,
    host: request.host,
    now,
    cookie: (name) => {
      const values = readCookie(request.headers.cookie, name)
      return values.length === 1 ? values[0] : undefined
    },
    setHeader: (name, value) => void reply.header(name, value),
  }
}

async function authenticate(
  request: FastifyRequest,
  route: Route,
  guards: Guards,
  options: { now: number; https: boolean; publicOrigin: string | undefined },
): Promise<SignedIn | undefined> {
  const changes = route.method !== 'GET'
  const ownOrigin = ownOriginOf(request, guards, options.publicOrigin)
  if (route.who === 'public') {
    // Signing a person in from another site would put them into a stranger's account.
    const fromPage = request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
    if (changes && fromPage && !isSameOrigin(request, ownOrigin)) throw new Failure('403')
    return undefined
  }
  const credential = readCredential(request, options.https)
  if (!credential) throw new Failure('113')
  if (changes && credential.from === 'cookie' && !isSameOrigin(request, ownOrigin)) throw new Failure('403')
  const user = await guards.findSession(credential.token, options.now, guards.brands.find(request.host).id)
  if (!user) throw new Failure('113')
  return user
}

/** Each brand's host is a console of its own, reached as the public address is; any other by that address only. */
function ownOriginOf(
  request: FastifyRequest,
  guards: Guards,
  publicOrigin: string | undefined,
): string | undefined {
  if (!publicOrigin || !guards.brands.hasHost(request.host)) return publicOrigin
  return `${new URL(publicOrigin).protocol}//${request.host}`
}

async function authorize(
  route: Route,
  user: SignedIn | undefined,
  input: Record<string, unknown>,
  guards: Guards,
  now: number,
): Promise<void> {
  const { who } = route
  if (who === 'public' || who === 'user') return
  if (!user) throw new Failure('113')
  if (who === 'operator') {
    if (!(await guards.isOperator(user.userId))) throw new Failure('403')
    return
  }
  if (who === 'machine') throw new Failure('403')
  if ('ent' in who) return authorizeInEnterprise(who, user, input, guards)
  const machineIds = await namedMachines(who, input, guards)
  if (who.eid !== undefined && !(await guards.areDevicesOf(input[who.eid] as number, machineIds ?? [])))
    throw new Failure('403')
  if (machineIds && (await guards.hasMachineRight(user.userId, who.right, machineIds, now))) return
  if (who.refuse !== 'audit') throw new Failure('403')
  const [machineId] = machineIds ?? []
  // What does not exist is refused as a stranger's.
  throw new Failure(
    machineId === undefined ? 'GENERAL_USER' : await guards.whyNot(user.userId, machineId, now, who.right),
  )
}

/** A machine of another enterprise is refused as one that does not exist. */
async function authorizeInEnterprise(
  who: EnterpriseWho<string>,
  user: SignedIn,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<void> {
  const eid = input[who.eid] as number
  const isSelf = who.self !== undefined && input[who.self] === user.userId
  const isLet = await guards.hasEnterpriseRight(user.userId, eid, isSelf ? 'member' : who.ent)
  const isDevice =
    who.machine === undefined || (await guards.areDevicesOf(eid, [input[who.machine] as number]))
  if (!isLet || !isDevice) throw new Failure('403')
}

/** The machines a request names; undefined when what it names does not exist. */
async function namedMachines(
  who: MachineWho<string>,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<number[] | undefined> {
  if ('machine' in who) return [input[who.machine] as number]
  if ('tags' in who) return guards.machinesOfTags(input[who.tags] as number[])
  const machineId = await namedMachine(who, input, guards)
  return machineId === undefined ? undefined : [machineId]
}

/** A form with a file is taken apart here, once its sender was let in. */
function readBody({ body }: FastifyRequest): Promise<unknown> | unknown {
  return body instanceof SentForm ? body.read() : body
}

function namedMachine(
  who: Exclude<MachineWho<string>, { machine: string } | { tags: string }>,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<number | undefined> {
  if ('code' in who) return guards.machineOfCode(input[who.code] as string)
  if ('maintenance' in who) return guards.machineOfMaintenance(input[who.maintenance] as number)
  if ('application' in who) return guards.machineOfApplication(input[who.application] as number)
  return guards.machineOfGrant(input[who.grant] as number)
}

function readInput<R extends Route>(route: R, request: FastifyRequest, body: unknown): InputOf<R> {
  // Of the others a query is no part: what stands in an address ends up in logs.
  const readsQuery = route.method === 'GET' || route.method === 'DELETE'
  const query = readsQuery ? (request.query as Record<string, unknown>) : {}
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new Failure('400', { field: 'body' })
  }
  const isJson = request.headers['content-type']?.includes('json') ?? false
  const fromBody = (body ?? {}) as Record<string, unknown>
  const given = {
    ...formToInput(route.request, query),
    ...(isJson ? fromBody : formToInput(route.request, fromBody)),
    ...formToInput(route.request, request.params as Record<string, unknown>),
  }
  const result = route.request.safeParse(given)
  if (!result.success) {
    const field = result.error.issues[0]?.path[0]
    throw new Failure('400', { field: String(field ?? 'body') })
  }
  for (const [name, value] of Object.entries(result.data)) {
    if (!isKeepable(value)) throw new Failure('400', { field: name })
  }
  return result.data as InputOf<R>
}

/** Whether every text in a value comes back from the database as it went in: NUL and half a character do not. */
function isKeepable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (Array.isArray(value)) return value.every(isKeepable)
  if (typeof value !== 'object' || value === null || value instanceof Blob) return true
  return Object.values(value).every(isKeepable)
}
