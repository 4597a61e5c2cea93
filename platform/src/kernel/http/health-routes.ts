import { health as contract, type Route } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import type { CallLimits } from './call-limits.ts'

export interface Readiness {
  /** Names of the parts that this process lacks before it can serve; empty when ready. */
  missing(): Promise<string[]> | string[]
}

/** Liveness and readiness: public, without the envelope. */
export function registerHealth(app: FastifyInstance, readiness: Readiness, limits: CallLimits): void {
  const counted = (route: Route) => ({ onRequest: limits.hookOf(route), exposeHeadRoute: true })
  app.get(contract.getHealth.path, counted(contract.getHealth), async () => ({ status: 'ok' }))
  app.get(contract.getReadiness.path, counted(contract.getReadiness), async (_, reply) => {
    const missing = await readiness.missing()
    return reply.code(missing.length ? 503 : 200).send({ status: missing.length ? 'missing' : 'ok', missing })
  })
}
