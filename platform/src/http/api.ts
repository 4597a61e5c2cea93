import { chooseLang, type Lang } from '@busbar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isHttps } from '../config.ts'
import { authenticate } from './authenticate.ts'
import { authorize, authorizeCaller } from './authorize.ts'
import type { Binding, CallContext } from './bind.ts'
import type { CallLimits } from './call-limits.ts'
import { readCookie } from './cookies.ts'
import { refusal, success } from './envelope.ts'
import type { Guards } from './guards.ts'
import { acceptForms } from './multipart.ts'
import { readBody, readInput } from './read-input.ts'

/** Puts declared routes behind HTTP: language, session, validation, limits, permission, envelope. */
export function registerBindings(
  app: FastifyInstance,
  bindings: readonly Binding[],
  guards: Guards,
  limits: CallLimits,
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
    const countAddress = limits.hookOf(route)
    const admit = (request: FastifyRequest, now: number) =>
      authenticate(request, route, guards, { now, https: isHttps(config), publicOrigin })
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const now = clock()
      const user = await admit(request, now)
      const caller = { user, address: request.ip, now }
      await limits.takeOfUser(route, caller)
      await authorizeCaller(route, user, guards)
      try {
        const input = readInput(route, request, await readBody(request))
        await limits.take(route, caller, input)
        await authorize(route, user, input, guards, now)
        const brand = guards.brands.find(request.host)
        const takeLimit = () => limits.takeByRoute(route, caller)
        const context = { ...callContext(request, reply, now), brand, user, takeLimit }
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
        onRequest: async (request) => {
          await countAddress(request)
          if (route.multipart) await admit(request, clock())
        },
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
): Omit<CallContext, 'brand' | 'takeLimit'> {
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
