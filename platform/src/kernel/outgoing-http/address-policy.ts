import ipaddr from 'ipaddr.js'
import type { AllowedPlace, CallingSpace, Network } from './allowed-networks.ts'
import type { AddressProblem } from './outgoing-error.ts'

/** A connection that somebody asks for. */
export interface Wish {
  readonly space: CallingSpace
  /** As it was typed. */
  readonly host: string
  readonly port: number
  readonly isTls: boolean
}

const problems: Readonly<Record<string, AddressProblem>> = {
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'linkLocal',
  multicast: 'multicast',
  broadcast: 'multicast',
  unspecified: 'unspecified',
  ipv4Mapped: 'embedded',
  rfc6145: 'embedded',
  rfc6052: 'embedded',
  '6to4': 'embedded',
  teredo: 'embedded',
}

/** Addresses of no single service: an operator cannot allow these either. */
const neverAllowed: ReadonlySet<AddressProblem> = new Set(['multicast', 'unspecified', 'embedded'])
/** Services of this machine and of its cloud: a name does not allow them, only their address does. */
const allowedByAddress: ReadonlySet<AddressProblem> = new Set(['loopback', 'linkLocal'])

/** IPv6 addresses that may be public at all (RFC 4291, 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** Azure answers a virtual machine about itself at an address of the public range. */
const azurePlatform = '168.63.129.16'

/**
 * The addresses that the platform connects to for people: public ones, and the places that the operator allows
 * (rules/operations.md: outgoing calls).
 */
export class AddressPolicy {
  readonly #allowed: readonly AllowedPlace[]

  constructor(allowed: readonly AllowedPlace[]) {
    this.#allowed = allowed
  }

  /** Why the wish may not lead to this address; undefined where it may. */
  findProblem(address: string, wish: Wish): AddressProblem | undefined {
    if (!ipaddr.isValid(address)) return 'syntax'
    const ip = ipaddr.parse(address)
    const problem = problemOf(ip)
    if (problem && neverAllowed.has(problem)) return problem
    const byName = !problem || !allowedByAddress.has(problem)
    const isAllowed = ({ host }: AllowedPlace) =>
      typeof host === 'string' ? byName && host === wish.host : isWithin(ip, host)
    if (this.#allowedTo(wish).some(isAllowed)) return undefined
    return problem ?? (wish.isTls ? undefined : 'plain')
  }

  /** Whether the operator allows this name, to whatever private address it leads. */
  isAllowedName(wish: Wish): boolean {
    return this.#allowedTo(wish).some(({ host }) => host === wish.host)
  }

  #allowedTo(wish: Wish): AllowedPlace[] {
    return this.#allowed.filter(({ space, port }) => port === wish.port && isSpace(space, wish.space))
  }
}

function problemOf(ip: ipaddr.IPv4 | ipaddr.IPv6): AddressProblem | undefined {
  const range: string = ip.range()
  const isPublic =
    range === 'unicast' && (ip.kind() === 'ipv4' ? ip.toString() !== azurePlatform : ip.match(globalUnicast))
  return isPublic ? undefined : (problems[range] ?? 'reserved')
}

function isSpace(allowed: AllowedPlace['space'], calling: CallingSpace): boolean {
  if (allowed === 'all' || allowed === calling) return true
  if (allowed === 'operator' || calling === 'operator') return false
  return 'userId' in allowed
    ? 'userId' in calling && allowed.userId === calling.userId
    : 'enterpriseId' in calling && allowed.enterpriseId === calling.enterpriseId
}

function isWithin(ip: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  return network.kind() === ip.kind() && ip.match(network, bits)
}
