import {
  chooseLang,
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
import type { Binding, CallContext, SignedIn } from './bind.ts'
import { success } from './envelope.ts'
import { Failure } from './failure.ts'
import { isSameOrigin, readCredential } from './session-reader.ts'

/** What the doors need from the modules to decide who may pass. */
export interface Guards {
  /** The session of a token, or nothing when it is unknown, expired or revoked. */
  findSession(token: string, now: number): Promise<SignedIn | undefined>
  isOperator(userId: number): Promise<boolean>
  /** True when the user has the right over every named machine now. */
  hasMachineRight(
    userId: number,
    right: MachineWho<string>['right'],
    machineIds: readonly number[],
    now: number,
  ): Promise<boolean>
  /** Why the user has not that right now: a code of decision 31. */
  whyNot(userId: number, machineId: number, now: number): Promise<ErrorCode>
  machineOfCode(code: string): Promise<number | undefined>
  machineOfGrant(grantId: number): Promise<number | undefined>
  /** The machines of tags; undefined when one of the tags does not exist. */
  machinesOfTags(tagIds: readonly number[]): Promise<number[] | undefined>
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
  for (const { route, run } of bindings) {
    if (route.who === 'machine') throw new Error(`${route.path}: machine routes have a door of their own`)
    app.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const now = clock()
        const user = await authenticate(request, route, guards, { now, https: isHttps(config), publicOrigin })
        const input = readInput(route, request)
        await authorize(route, user, input, guards, now)
        const context = { ...callContext(request, reply, now), user }
        const answer = await run(input as never, context as never)
        reply.header('cache-control', 'no-store')
        return success(route, answer)
      },
    })
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

function callContext(request: FastifyRequest, reply: FastifyReply, now: number): CallContext {
  return {
    lang: langOf(request),
    address: request.ip,
    host: request.host,
    now,
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
  if (route.who === 'public') {
    // Signing a person in from another site would put them into a stranger's account.
    const fromPage = request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
    if (changes && fromPage && !isSameOrigin(request, options.publicOrigin)) throw new Failure('403')
    return undefined
  }
  const credential = readCredential(request, options.https)
  if (!credential) throw new Failure('113')
  if (changes && credential.from === 'cookie' && !isSameOrigin(request, options.publicOrigin))
    throw new Failure('403')
  const user = await guards.findSession(credential.token, options.now)
  if (!user) throw new Failure('113')
  return user
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
  const machineIds = await namedMachines(who, input, guards)
  if (machineIds && (await guards.hasMachineRight(user.userId, who.right, machineIds, now))) return
  const [machineId] = machineIds ?? []
  if (who.refuse === 'audit' && machineId !== undefined)
    throw new Failure(await guards.whyNot(user.userId, machineId, now))
  throw new Failure('403')
}

/** The machines a request names; undefined when what it names does not exist. */
async function namedMachines(
  who: MachineWho<string>,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<number[] | undefined> {
  if ('machine' in who) return [input[who.machine] as number]
  if ('tags' in who) return guards.machinesOfTags(input[who.tags] as number[])
  const machineId =
    'code' in who
      ? await guards.machineOfCode(input[who.code] as string)
      : await guards.machineOfGrant(input[who.grant] as number)
  return machineId === undefined ? undefined : [machineId]
}

function readInput<R extends Route>(route: R, request: FastifyRequest): InputOf<R> {
  // Of the others a query is no part: what stands in an address ends up in logs.
  const readsQuery = route.method === 'GET' || route.method === 'DELETE'
  const query = readsQuery ? (request.query as Record<string, unknown>) : {}
  const body = request.body
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
  return result.data as InputOf<R>
}
