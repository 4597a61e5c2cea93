import { targetAddressOf } from '@busbar/link'
import type { Target } from './target.ts'

/** Scheme, host with port, and the rest, as browsers take an address apart: `\\` counts as `/`, and further slashes for none. */
const absolute = /^\s*(?:(https?|wss?):)?[\\/]{2,}([^\\/?#]*)(.*)$/is

export interface VisitorAddress {
  readonly address: string
  /** The address of the same device that the page leads to, if no target has it. */
  readonly elsewhere?: string
}

/**
 * An address in a header of a target, as its visitor's browser has to have it: `http://192.168.0.5/a` of that target is
 * `/a`, and one of another target is that target's. A path, and an address of another network, stays unchanged. The part
 * after the host stays as the device wrote it, byte by byte.
 */
export function toVisitorAddress(
  address: string,
  { origin, names }: Pick<Target, 'origin' | 'names'>,
): VisitorAddress {
  const own = new URL(origin)
  const [whole, scheme = own.protocol.slice(0, -1), host, rest = ''] = absolute.exec(address) ?? []
  const url = whole === undefined ? null : URL.parse(`${scheme}://${host}`.replace(/^ws/i, 'http'))
  if (url?.username !== '' || url.password !== '') return { address }
  // Two slashes at the front would name another host again.
  const path = rest.replace(/^[\\/]*/, '/')
  if (url.origin === origin) return { address: path }
  const name = names.get(url.origin)
  if (name !== undefined) return { address: targetAddressOf(name) + path }
  return url.hostname === own.hostname ? { address, elsewhere: url.origin } : { address }
}
