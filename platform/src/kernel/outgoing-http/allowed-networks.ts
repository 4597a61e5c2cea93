import ipaddr from 'ipaddr.js'

/** The person or the enterprise for which a call goes out, as in `modules/spaces`, or the operators of the platform. */
export type CallingSpace = { readonly userId: number } | { readonly enterpriseId: number } | 'operator'

export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** A place that the operator allows beside the public internet, also without TLS. */
export interface AllowedPlace {
  readonly space: CallingSpace | 'all'
  /** A name in small letters, or a network. */
  readonly host: string | Network
  readonly port: number
}

/**
 * Reads `OUTGOING_ALLOWED_NETWORKS`: `enterprise=7 10.1.0.0/16:1883, person=12 mes.local:8080,
 * operator maps.local:80, * [fd00::5]:9000`.
 * @throws Error with the entry that is wrong
 */
export function parseAllowedNetworks(text: string): readonly AllowedPlace[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parsePlace)
}

const placePattern =
  /^(?:(?<kind>enterprise|person)=(?<id>[1-9]\d{0,14})|(?<operator>operator)|\*)\s+(?<host>[^\s:[\]]+|\[[\d.:a-f]+(?:\/\d+)?\]):(?<port>\d{1,5})$/

function parsePlace(entry: string): AllowedPlace {
  const { kind, id, operator, host: typed = '', port } = placePattern.exec(entry.toLowerCase())?.groups ?? {}
  const host = parseHost(typed.replace(/^\[|\]$/g, ''))
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(
      `“${entry}” is not a space, a host or network, and a port, as enterprise=7 10.1.0.0/16:1883`,
    )
  const place = { host, port: Number(port) }
  if (kind === undefined) return { space: operator ? 'operator' : 'all', ...place }
  return { space: kind === 'person' ? { userId: Number(id) } : { enterpriseId: Number(id) }, ...place }
}

function parseHost(text: string): AllowedPlace['host'] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return [ipaddr.parse(text), 32]
  if (ipaddr.IPv6.isValid(text)) return [ipaddr.parse(text), 128]
  return /^(?=.*[a-z])[a-z\d](?:[a-z\d._-]*[a-z\d])?$/.test(text) ? text : undefined
}
