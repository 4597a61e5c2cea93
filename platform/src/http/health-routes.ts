import { health as contract, productVersion, type Route, routes } from '@busbar/contract'
import { openApiDocument } from '@busbar/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { langOf } from './api.ts'

export interface Readiness {
  /** Names of what is missing before this process can serve; empty when ready. */
  missing(): Promise<string[]> | string[]
}

/** Liveness, readiness and the API document: public, without the envelope. */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get(contract.getHealth.path, async () => ({ status: 'ok' }))
  app.get(contract.getReadiness.path, async (_, reply) => {
    const missing = await readiness.missing()
    return reply.code(missing.length ? 503 : 200).send({ status: missing.length ? 'missing' : 'ok', missing })
  })
  const documents = new Map<string, object>()
  const documented: readonly Route[] = routes.filter((route) => /^\/e?api\//.test(route.path))
  app.get(contract.getOpenApi.path, async (request, reply) => {
    const lang = langOf(request)
    const document =
      documents.get(lang) ?? openApiDocument(documented, { title: 'Busbar', version: productVersion, lang })
    documents.set(lang, document)
    return reply.header('cache-control', 'public, max-age=300').send(document)
  })
}
