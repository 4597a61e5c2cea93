import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** The client's address of a bare request, believing X-Forwarded-For only from the trusted (decision 8). */
export function createProxyTrust(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const trust = proxyAddress.compile([...trusted])
  return (request) => proxyAddress(request, trust)
}
