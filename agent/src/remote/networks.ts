import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** An address with the bits of its prefix: `192.168.0.0/24`, `fd00::/64`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== null
}

interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

function parseNetwork(text: string): Network | null {
  const [, address = '', bitsText = ''] = /^([0-9A-Fa-f.:]+)\/(\d{1,3})$/.exec(text) ?? []
  const version = isIP(address)
  const bits = Number(bitsText)
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Networks in which no controller of a plant lies, but services of the gateway itself and of its provider. */
const riskyNetworks = [
  { network: '127.0.0.0/8', why: 'it includes the gateway itself' },
  { network: '::1/128', why: 'it includes the gateway itself' },
  { network: '169.254.0.0/16', why: 'it includes link-local addresses, as of a cloud’s metadata' },
  { network: 'fe80::/10', why: 'it includes link-local addresses' },
]

/** Why a network of the agent's file is probably too wide; undefined where it is not. */
export function riskOf(text: string): string | undefined {
  const network = parseNetwork(text)
  if (network?.bits === 0) return 'it includes every address'
  return riskyNetworks.find(({ network: risky }) => overlaps(text, risky))?.why
}

/** Of two networks that overlap, one includes the first address of the other. */
function overlaps(one: string, other: string): boolean {
  return includes(one, other) || includes(other, one)
}

function includes(outer: string, inner: string): boolean {
  const [network, first] = [parseNetwork(outer), parseNetwork(inner)]
  if (network === null || first === null || network.family !== first.family) return false
  const list = new BlockList()
  list.addSubnet(network.address, network.bits, network.family)
  return list.check(first.address, first.family)
}

/** The addresses of an IPv4 network, without those of the network itself and of everybody in it; null for any other text. */
export function addressesOf(text: string): { readonly first: number; readonly count: number } | null {
  const network = parseNetwork(text)
  if (network?.family !== 'ipv4') return null
  const size = 2 ** (32 - network.bits)
  const address = network.address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const start = Math.floor(address / size) * size
  return size <= 2 ? { first: start, count: size } : { first: start + 1, count: size - 2 }
}

export const formatAddress = (address: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** A host that may not be reached, in words for a person that follow its field: `is outside …`. */
export class HostRefused extends Error {}

/** IPv4 addresses in the form of IPv6 ones, however they are spelled (RFC 4291, 2.5.5.2). */
const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** The networks in which hosts may lie. */
export class Networks {
  /** A list of both would match an IPv4 address with the IPv6 form of it. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  readonly #networks: readonly string[]
  readonly #resolve: Resolve

  constructor(networks: readonly string[], resolve: Resolve = resolveHost) {
    for (const text of networks) {
      const network = parseNetwork(text)
      if (network !== null)
        this.#lists[network.family].addSubnet(network.address, network.bits, network.family)
    }
    this.#networks = networks
    this.#resolve = resolve
  }

  get text(): string {
    return this.#networks.join(', ')
  }

  /** Whether a whole network lies in one of them. */
  contain(text: string): boolean {
    const inner = parseNetwork(text)
    return this.#networks.some((outer) => {
      const bits = parseNetwork(outer)?.bits ?? Number.POSITIVE_INFINITY
      return inner !== null && bits <= inner.bits && includes(outer, text)
    })
  }

  /**
   * An address of the host, to be connected to instead of its name: the name may lead elsewhere a moment
   * later. Rejects with `HostRefused` if the host or one of its addresses lies outside, or if it has no
   * address.
   */
  async find(host: string): Promise<string> {
    const outside = `is outside the networks that the agent's file allows: ${this.text}`
    if (isIP(host) !== 0) {
      if (this.#has(host)) return host
      throw new HostRefused(`${host} ${outside}`)
    }
    const addresses = await this.#resolve(host).catch(() => [])
    const [first] = addresses
    if (first === undefined) throw new HostRefused(`${host} is a name without an address here`)
    const foreign = addresses.find((address) => !this.#has(address))
    if (foreign !== undefined) throw new HostRefused(`${host} leads to ${foreign}, which ${outside}`)
    return first
  }

  /** An IPv4 address in the form of an IPv6 one is taken for neither. */
  #has(address: string): boolean {
    const version = isIP(address)
    if (version === 4) return this.#lists.ipv4.check(address, 'ipv4')
    return version === 6 && !mapped.check(address, 'ipv6') && this.#lists.ipv6.check(address, 'ipv6')
  }
}
