import { bodyBytesMaxOf, chooseLang, type FileAnswer, type Lang, terminalTypeOf } from '@busbar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { isHttps } from '../../config.ts'
import { authenticate } from './authenticate.ts'
import { authorize, authorizeCaller } from './authorize.ts'
import { parseBasic } from './basic.ts'
import type { Binding, CallContext, SignedIn } from './bind.ts'
import { browserFamilyOf } from './browser-family.ts'
import type { CallLimits } from './call-limits.ts'
import { whenCallerLeaves } from './caller-left.ts'
import { refuseOldClient } from './client-version.ts'
import { readCookie } from './cookies.ts'
import { refusal, success, successText } from './envelope.ts'
import type { Guards } from './guards.ts'
import { JsonText } from './json-text.ts'
import type { LoadGates } from './load-gate.ts'
import { acceptForms } from './multipart.ts'
import { readBody, readInput } from './read-input.ts'
import { sendFile } from './send-file.ts'

/** Validity of an admission while the body comes, in ms. */
const admissionMsMax = 1_000

/** A caller whose session and permission were checked before the body was read. */
interface Admission {
  readonly user: SignedIn | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Puts declared routes behind HTTP, in this order: the count of the address, language, session, the count of the
 * person, the permission if it does not depend on the request, the body, validation, the route's limits, permission,
 * the function, the envelope.
 */
export function registerBindings(
  app: FastifyInstance,
  bindings: readonly Binding[],
  guards: Guards,
  limits: CallLimits,
  config: Config,
  clock: () => number,
  loads: LoadGates,
): void {
  const publicOrigin = config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : undefined
  const admissions = new WeakMap<FastifyRequest, Admission>()
  void app.register(async (scope) => {
    acceptForms(scope)
    for (const binding of bindings.filter(({ route }) => route.multipart)) register(scope, binding)
  })
  for (const binding of bindings.filter(({ route }) => !route.multipart)) register(app, binding)

  function register(scope: FastifyInstance, { route, run }: Binding): void {
    if (route.who === 'machine')
      throw new Error(`${route.path}: machine routes are registered by registerIngest`)
    const countAddress = limits.hookOf(route)
    const https = isHttps(config)
    /** The body is read only after the caller was let in. */
    const admit = async (request: FastifyRequest): Promise<Admission> => {
      const at = clock()
      const user = await authenticate(request, route, guards, { now: at, https, publicOrigin })
      await limits.takeOfUser(route, { user, address: request.ip, now: at })
      await authorizeCaller(route, user, guards)
      const admission = { user, at }
      admissions.set(request, admission)
      return admission
    }
    /** A caller who sends a body for a minute may be signed out by its end. */
    const findCaller = async (request: FastifyRequest, now: number): Promise<SignedIn | undefined> => {
      const admission = admissions.get(request)
      const isFresh = admission !== undefined && now - admission.at <= admissionMsMax
      return (isFresh ? admission : await admit(request)).user
    }
    /** Counts the call before the first query, and checks the caller before the body is read. */
    const begin = async (request: FastifyRequest): Promise<void> => {
      await countAddress(request)
      if (!route.anyVersion) refuseOldClient(request, guards.brands.find(request.host))
      await admit(request)
    }
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const now = clock()
      const user = await findCaller(request, now)
      const caller = { user, address: request.ip, now }
      const signal = whenCallerLeaves(reply.raw)
      try {
        const brand = guards.brands.find(request.host)
        const takeLimit = () => limits.takeByRoute(route, caller)
        const context = { ...callContext(request, reply, now), signal, brand, user, takeLimit }
        // A call refused here has only read its session from the database. Reading its body is part of the load.
        const work = async () => {
          const input = readInput(route, request, await readBody(request))
          await limits.take(route, caller, input)
          await authorize(route, user, input, guards, now)
          return run(input as never, context as never)
        }
        const data = await loads.run(route.load, user?.userId, work, signal)
        if (route.file) return sendFile(request, reply, data as FileAnswer)
        reply.header('cache-control', 'no-store')
        if (!(data instanceof JsonText)) return success(route, data)
        reply.type('application/json; charset=utf-8')
        return successText(route, data)
      } catch (error) {
        // Without an answer: its connection is closed.
        if (signal.aborted && error === signal.reason) return undefined
        const body = refusal(route, error, langOf(request))
        if (body === undefined) throw error
        reply.header('cache-control', 'no-store')
        return body
      }
    }
    for (const url of [route.path, ...(route.aliases ?? [])]) {
      scope.route({
        method: [route.method, ...(route.aliasMethods ?? [])],
        url,
        bodyLimit: bodyBytesMaxOf(route),
        config: { knowsCaller: route.who !== 'public' },
        onRequest: begin,
        handler: answer,
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

function callContext(
  request: FastifyRequest,
  reply: FastifyReply,
  now: number,
): Omit<CallContext, 'brand' | 'takeLimit' | 'signal'> {
  return {
    lang: langOf(request),
    address: request.ip,
    browser: browserFamilyOf(request.headers['user-agent']),
    terminalType: terminalTypeOf(request.headers['user-agent']),
    host: request.host,
    now,
    cookie: (name) => {
      const values = readCookie(request.headers.cookie, name)
      return values.length === 1 ? values[0] : undefined
    },
    basic: () => parseBasic(request.headers.authorization),
    setHeader: (name, value) => void reply.header(name, value),
  }
}
