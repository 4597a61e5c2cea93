import { type ErrorCode, limits } from '@busbar/contract'
import formbody from '@fastify/formbody'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Config } from '../config.ts'
import { isRetryable } from '../database/retryable.ts'
import type { Logger } from '../logger.ts'
import { langOf } from './api.ts'
import { pageHeaders } from './console-files.ts'
import { codeOfStatus, failure } from './envelope.ts'
import { Failure } from './failure.ts'
import type { WebPort } from './web-port.ts'

/** The console's server on the web port, without routes: limits, body formats, headers, errors as envelopes. */
export async function createHttpServer(
  config: Config,
  logger: Logger,
  port: WebPort,
): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: port.serverFactory,
    bodyLimit: limits.bodyBytesMax,
    trustProxy: config.TRUSTED_PROXIES.length ? config.TRUSTED_PROXIES : false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 128 },
  })
  await app.register(formbody, { bodyLimit: limits.bodyBytesMax })
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(pageHeaders)
  })
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply, logger))
  return app
}

function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  logger: Logger,
): FastifyReply {
  const known = error instanceof Failure ? error : toFailure(error)
  if (known.code === '500') {
    // The path without its query: a query may carry a ticket.
    logger.error({ err: error, requestId: request.id, path: request.routeOptions.url }, 'a request failed')
  }
  const { status, body } = failure(known, langOf(request))
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

function toFailure(error: Error & { statusCode?: number }): Failure {
  // The database is being started again: a try a moment later will do.
  if (isRetryable(error)) return new Failure('503', { data: { retryIn: 1 } })
  const status = error.statusCode ?? 500
  const code: ErrorCode = codeOfStatus(status)
  return new Failure(code, code === '400' ? { field: 'body' } : {})
}
