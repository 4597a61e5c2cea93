import { BlockList, isIPv4 } from 'node:net'

/** Whether an IPv4 network (`192.168.1.0/24`) lies in one of those that an agent's file allows. */
export function isWithin(network: string, allowed: readonly string[]): boolean {
  const inner = parseNetwork(network)
  return (
    inner !== undefined &&
    allowed.some((text) => {
      const outer = parseNetwork(text)
      if (!outer || inner.bits < outer.bits) return false
      const list = new BlockList()
      list.addSubnet(outer.address, outer.bits, 'ipv4')
      return list.check(inner.address, 'ipv4')
    })
  )
}

function parseNetwork(text: string): { readonly address: string; readonly bits: number } | undefined {
  const [, address = '', bits = '32'] = /^([\d.]+)(?:\/(\d{1,2}))?$/.exec(text) ?? []
  return isIPv4(address) && Number(bits) <= 32 ? { address, bits: Number(bits) } : undefined
}
