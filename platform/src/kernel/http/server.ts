import { type ErrorCode, limits } from '@busbar/contract'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Config } from '../../config.ts'
import { faultOf } from '../database/database-fault.ts'
import { createLogOnce, type LogOnce } from '../log-once.ts'
import type { Logger } from '../logger.ts'
import type { RequestMeter } from '../metrics/index.ts'
import { langOf } from './api.ts'
import { BodyBudget } from './body-budget.ts'
import { acceptBodies } from './body-formats.ts'
import { meterBodies } from './body-intake.ts'
import { compressResponses } from './compressed-responses.ts'
import { pageHeaders } from './console-files.ts'
import { codeOfStatus, failure } from './envelope.ts'
import { Failure } from './failure.ts'
import { storageFull } from './storage-full.ts'
import type { WebPort } from './web-port.ts'

/** The console's server on the web port, without routes: limits, body formats, headers, errors as envelopes. */
export async function createHttpServer(
  config: Config,
  logger: Logger,
  port: WebPort,
  meter: RequestMeter,
): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: port.serverFactory,
    // The limit of routes without their own, and of addresses without a route.
    bodyLimit: limits.publicBodyBytesMax,
    // A HEAD would run the function of the GET, such as making a ticket, and pages do not use it.
    exposeHeadRoutes: false,
    trustProxy: config.TRUSTED_PROXIES.length ? config.TRUSTED_PROXIES : false,
    // Running requests are answered; the code that stops the platform closes the others.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 128 },
  })
  app.addHook('onRequest', async (request, reply) => {
    // Read now, the address stays known. A caller who is gone has none, and hears no answer.
    if (request.socket.remoteAddress !== undefined) return undefined
    reply.hijack()
    request.raw.destroy()
    return reply
  })
  await acceptBodies(app)
  meterBodies(app, new BodyBudget())
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders)
  })
  compressResponses(app)
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request)
    meter.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1_000)
    logger.debug(
      {
        reqId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request.answered',
    )
  })
  const once = createLogOnce(logger)
  app.addHook('onClose', async () => once.stop())
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, once))
  return app
}

/** The pattern that answers, never the address itself: a query may carry a ticket. One for all files of the console. */
function routeOf(request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url?.startsWith('/assets/') ? '/assets/*' : url
}

function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  once: LogOnce,
): FastifyReply {
  const known = error instanceof Failure ? error : (storageFull(error) ?? toFailure(error))
  if (known.code === '500' || faultOf(error) === 'short') {
    once.error(
      { err: error, reqId: request.id, method: request.method, route: routeOf(request) },
      'request.failed',
      kindOf(error),
    )
  }
  const { status, body } = failure(known, langOf(request), request.url)
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

/** The place in the code that failed, so that one fault behind a hundred routes counts as one kind. */
function kindOf({ name, stack }: Error): string {
  const place = /\n {4}at (.*)/.exec(stack ?? '')?.[1]
  return `${name} ${place}`
}

function toFailure(error: Error & { statusCode?: number }): Failure {
  const fault = faultOf(error)
  // The database is restarting, or out of space: another try a moment later may succeed.
  if (['away', 'lost', 'short'].includes(fault)) return new Failure('503', { data: { retryIn: 1 } })
  const status = error.statusCode ?? 500
  const code: ErrorCode = codeOfStatus(status)
  return new Failure(code, code === '400' ? { field: 'body' } : {})
}
