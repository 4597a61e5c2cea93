import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'

const ipv6Groups = 8

/** A key under which an address is counted. Its net has `times` the limit of one address. */
export interface AddressKey {
  readonly net: 'address' | 'net48'
  readonly key: string
  readonly times: number
}

/** One site may get a /48, which has 65,536 nets; together they get four times the limit of one. */
const timesOf48 = 4

/** Every net that a limit counts an address under. */
export function addressKeys(address: string): AddressKey[] {
  const own: AddressKey = { net: 'address', key: addressKey(address), times: 1 }
  if (!isIpv6(address)) return [own]
  return [own, { net: 'net48', key: own.key.split(':').slice(0, 3).join(':'), times: timesOf48 }]
}

const isIpv6 = (address: string): boolean => address.includes(':') && !address.includes('.')

/** The key under which a limit counts an address: an IPv6 customer has a whole /64 to choose addresses from. */
export function addressKey(address: string): string {
  if (!isIpv6(address)) return address
  // `::` stands for zeros: those in the first half of the address count.
  const [left = '', right] = address.split('::')
  const groups = left ? left.split(':') : []
  if (right !== undefined) {
    const zeros = ipv6Groups - groups.length - (right ? right.split(':').length : 0)
    groups.push(...Array<string>(Math.max(0, zeros)).fill('0'), ...right.split(':'))
  }
  return groups.slice(0, ipv6Groups / 2).join(':')
}

/** Whether an address is one of the trusted addresses and networks. */
export function createTrust(trusted: readonly string[]): (address: string) => boolean {
  const trust = trusted.length === 0 ? () => false : proxyAddress.compile([...trusted])
  return (address) => trust(address, 0)
}

/** The host a bare request was sent to, believing X-Forwarded-Host only from the trusted, as Fastify does. */
export function createProxyHost(
  trusted: readonly string[],
): (request: IncomingMessage) => string | undefined {
  const isTrustedAddress = createTrust(trusted)
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-host']
    const isTrusted = forwarded !== undefined && isTrustedAddress(socket.remoteAddress ?? '')
    return isTrusted ? String(forwarded).split(',').at(-1)?.trim() : headers.host
  }
}

/** Whether a raw request came by TLS: to this process, or to a trusted proxy according to its X-Forwarded-Proto. */
export function createSecureCheck(trusted: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = createTrust(trusted)
  return ({ headers, socket }) => {
    if ('encrypted' in socket) return true
    const forwarded = headers['x-forwarded-proto']
    if (forwarded === undefined || !isTrusted(socket.remoteAddress ?? '')) return false
    return String(forwarded).split(',').at(-1)?.trim() === 'https'
  }
}

/** The client's address of a bare request, believing X-Forwarded-For only from the trusted. */
export function createProxyTrust(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? ''
  const trust = proxyAddress.compile([...trusted])
  return (request) => proxyAddress(request, trust)
}
