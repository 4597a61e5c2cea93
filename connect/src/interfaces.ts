import { BlockList, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** An address of this computer. */
export interface OwnAddress {
  readonly interface: string
  readonly address: string
  /** `192.168.0.5/24`; null where the system does not tell its network. */
  readonly cidr: string | null
  /** Of the loopback interface. */
  readonly isInternal: boolean
}

export const listAddresses = (): OwnAddress[] =>
  Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all.map(({ address, cidr, internal }) => ({ interface: name, address, cidr, isInternal: internal })),
  )

/** Addresses that no other computer reaches, as written in full. */
export const isLoopback = (address: string): boolean =>
  address === '::1' || /^127\.(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){3}$/.test(address)

/** RFC 1918, section 3 */
export const isPrivate = (address: string): boolean =>
  isIPv4(address) && /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\./.test(address)

/** Why an address cannot be added here. */
export interface Obstacle {
  readonly fault: 'inUse' | 'inNetwork'
  readonly own: OwnAddress
}

/** Computers of a network that this one is in would not be reached any more, and could reach the address. */
export function findObstacle(address: string, all: readonly OwnAddress[]): Obstacle | undefined {
  const same = all.find((own) => own.address === address)
  if (same) return { fault: 'inUse', own: same }
  const around = all.find(({ cidr }) => cidr !== null && isIn(address, cidr))
  return around && { fault: 'inNetwork', own: around }
}

function isIn(address: string, cidr: string): boolean {
  const [network = '', bits] = cidr.split('/')
  if (!isIPv4(network)) return false
  const list = new BlockList()
  list.addSubnet(network, Number(bits), 'ipv4')
  return list.check(address, 'ipv4')
}

/** Whether a connection comes from this computer: others may reach an added address by way of this one's network. */
export function isFromHere(remote: string | undefined, all: () => readonly OwnAddress[]): boolean {
  // An IPv4 address within IPv6 is written after this.
  const address = (remote ?? '').replace(/^::ffff:/, '')
  return isLoopback(address) || all().some((own) => own.address === address)
}
