import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

/** What a limit counts an address under: an IPv6 customer has a whole /64 to choose addresses from. */
export function addressKey(address: string): string {
  return address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
}

/** The client's address of a bare request, believing X-Forwarded-For only from the trusted (decision 8). */
export function createProxyTrust(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const trust = proxyAddress.compile([...trusted])
  return (request) => proxyAddress(request, trust)
}
