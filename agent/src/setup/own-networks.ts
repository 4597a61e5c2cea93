import { BlockList, isIPv4 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** RFC 1918, 3. */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4')

/** Networks inside this computer, of containers and virtual machines. */
const virtualName = /^(?:docker|br-|veth|virbr|cni|flannel|lxc|lxd|podman|vEthernet)/

/** The private IPv4 networks that this computer is in: `192.168.0.0/24`. */
export function ownNetworks(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces()): string[] {
  const found = Object.entries(interfaces)
    .filter(([name]) => !virtualName.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(({ address, internal }) => !internal && isIPv4(address) && privateNetworks.check(address, 'ipv4'))
    .map(networkOf)
  return [...new Set(found)]
}

function networkOf({ address, netmask }: NetworkInterfaceInfo): string {
  const [bytes, mask] = [address, netmask].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const first = bytes.map((byte, place) => byte & (mask[place] ?? 0)).join('.')
  const bits = mask.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  return `${first}/${bits}`
}
