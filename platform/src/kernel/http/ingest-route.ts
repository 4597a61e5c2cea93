import { Readable } from 'node:stream'
import { bodyBytesMaxOf, ingest as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import { langOf } from './api.ts'
import type { CallLimits } from './call-limits.ts'
import { failure, success } from './envelope.ts'
import { Failure } from './failure.ts'
import { readBody } from './read-body.ts'

/**
 * The result of a machine's HTTP message; `repeated` values were stored before, `notes` name the values that were stored
 * otherwise than they were sent.
 */
export interface IngestReport {
  readonly stored: number
  readonly repeated?: number
  readonly refused: string[]
  readonly notes?: string[]
}

/** Why nothing was stored: no machine's credentials, slow down, the body is too long, the store failed, or not usable. */
export type IngestRefusal =
  | { readonly code: '113' | '413' }
  | { readonly code: '429' | '503'; readonly retryIn: number }
  | { readonly code: '400'; readonly report: IngestReport }

/** The gateway's answer to an HTTP ingest. */
export interface IngestPort {
  /** `readBody` is called once the credentials are a machine's; it answers undefined for a body that is too long. */
  ingestHttp(
    authorization: string | undefined,
    readBody: () => Promise<Buffer | undefined>,
    address: string,
  ): Promise<IngestReport | IngestRefusal>
}

/** `POST /api/v1/ingest`: a machine's own credentials, checked before the body is read; answered after the commit. */
export function registerIngest(app: FastifyInstance, port: IngestPort, callLimits: CallLimits): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The stream itself: strangers' bodies are not read.
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))
    const bytesMax = bodyBytesMaxOf(contract.ingestTelemetry)
    const options = {
      onRequest: callLimits.hookOf(contract.ingestTelemetry),
      bodyLimit: bytesMax,
      config: { knowsCaller: true },
    }
    scope.post(contract.ingestTelemetry.path, options, async (request, reply) => {
      const { body } = request
      let isRead = true
      const read = async () => {
        const bytes = body instanceof Readable ? await readBody(body, bytesMax) : Buffer.alloc(0)
        isRead = bytes !== undefined
        return bytes
      }
      const result = await port.ingestHttp(request.headers.authorization, read, request.ip)
      if (!('code' in result)) return success(contract.ingestTelemetry, result)
      // A machine that names no language is read by engineers anywhere.
      const isAsked = request.headers['accept-language'] !== undefined || 'lang' in (request.query as object)
      const refused = failure(failureOf(result), isAsked ? langOf(request) : 'en', request.url)
      if (result.code === '113') reply.header('www-authenticate', 'Basic realm="machine"')
      if (!isRead) reply.header('connection', 'close')
      return reply.code(refused.status).send(refused.body)
    })
  })
}

function failureOf(refusal: IngestRefusal): Failure {
  if ('retryIn' in refusal) return new Failure(refusal.code, { data: { retryIn: refusal.retryIn } })
  if ('report' in refusal) return new Failure('400', { field: 'body', data: { ...refusal.report } })
  return new Failure(refusal.code)
}
