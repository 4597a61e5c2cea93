import { health as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'

export interface Readiness {
  /** Names of what is missing before this process can serve; empty when ready. */
  missing(): Promise<string[]> | string[]
}

/** Liveness and readiness: public, without the envelope. */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get(contract.getHealth.path, async () => ({ status: 'ok' }))
  app.get(contract.getReadiness.path, async (_, reply) => {
    const missing = await readiness.missing()
    return reply.code(missing.length ? 503 : 200).send({ status: missing.length ? 'missing' : 'ok', missing })
  })
}
