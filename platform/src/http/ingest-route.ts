import { bodyBytesMaxOf, ingest as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import { langOf } from './api.ts'
import type { CallLimits } from './call-limits.ts'
import { failure, success } from './envelope.ts'
import { Failure } from './failure.ts'

/** What the gateway says of an HTTP ingest. */
export interface IngestDoor {
  /** Undefined when the credentials are not a machine's; `retryIn` seconds when it must slow down. */
  ingestHttp(
    authorization: string | undefined,
    body: Buffer,
    address: string,
  ): Promise<{ stored: number; refused: string[] } | { retryIn: number } | undefined>
}

/** `POST /api/v1/ingest`: a machine's own credentials, the body as it came, answered after the commit. */
export function registerIngest(app: FastifyInstance, door: IngestDoor, callLimits: CallLimits): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    const options = {
      onRequest: callLimits.hookOf(contract.ingestTelemetry),
      bodyLimit: bodyBytesMaxOf(contract.ingestTelemetry),
      config: { knowsCaller: true },
    }
    scope.post(contract.ingestTelemetry.path, options, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const result = await door.ingestHttp(request.headers.authorization, body, request.ip)
      if (result && 'stored' in result) return success(contract.ingestTelemetry, result)
      const refused = failure(
        result ? new Failure('429', { data: result }) : new Failure('113'),
        langOf(request),
      )
      if (!result) reply.header('www-authenticate', 'Basic realm="machine"')
      return reply.code(refused.status).send(refused.body)
    })
  })
}
