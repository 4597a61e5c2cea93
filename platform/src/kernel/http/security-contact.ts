import { health as contract } from '@busbar/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { CallLimits } from './call-limits.ts'

/** Within the year that RFC 9116 recommends at most (2.5.5). */
const validMs = 180 * 86_400_000

/** Answers security.txt with the operator's contact (RFC 9116); 404 without SECURITY_CONTACT. `now` is in epoch milliseconds. */
export function registerSecurityContact(
  app: FastifyInstance,
  { SECURITY_CONTACT, PUBLIC_URL }: Pick<Config, 'SECURITY_CONTACT' | 'PUBLIC_URL'>,
  limits: Pick<CallLimits, 'hookOf'>,
  now: () => number,
): void {
  const { path } = contract.getSecurityContact
  app.get(path, { onRequest: limits.hookOf(contract.getSecurityContact) }, async (_, reply) => {
    if (SECURITY_CONTACT === undefined) return reply.callNotFound()
    const lines = [
      `Contact: ${SECURITY_CONTACT}`,
      `Expires: ${new Date(now() + validMs).toISOString()}`,
      'Preferred-Languages: zh, en',
      // Only https may be named (2.5.2).
      ...(PUBLIC_URL?.startsWith('https:') ? [`Canonical: ${new URL(path, PUBLIC_URL)}`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
