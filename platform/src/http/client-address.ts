import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

const ipv6Groups = 8

/** What a limit counts an address under: an IPv6 customer has a whole /64 to choose addresses from. */
export function addressKey(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  // `::` stands for zeros: within the first half of the address they count.
  const [left = '', right] = address.split('::')
  const groups = left ? left.split(':') : []
  if (right !== undefined) {
    const zeros = ipv6Groups - groups.length - (right ? right.split(':').length : 0)
    groups.push(...Array<string>(Math.max(0, zeros)).fill('0'), ...right.split(':'))
  }
  return groups.slice(0, ipv6Groups / 2).join(':')
}

/** The client's address of a bare request, believing X-Forwarded-For only from the trusted (decision 8). */
export function createProxyTrust(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const trust = proxyAddress.compile([...trusted])
  return (request) => proxyAddress(request, trust)
}
