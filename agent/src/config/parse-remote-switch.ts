import { isNetwork } from '../remote/networks.ts'
import { kindsWithPorts, type PortsByKind, parsePortRange } from '../remote/ports.ts'
import type { RemoteConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'

/**
 * `remote: drivers` with `networks: [192.168.0.0/24]`, and `ports: { modbus-tcp: [502, 1500-1510] }` where the usual ones are
 * not all; without it nothing is configured from the platform.
 */
export function parseRemoteSwitch(root: Fields): RemoteConfig | null {
  const remote = root.oneOf('remote', ['drivers', 'off'])
  const networks = root.texts('networks', configLimits.networksMax, 64)
  for (const network of networks) {
    if (!isNetwork(network)) {
      root.problem('networks', `has "${network}", which does not look like 192.168.0.0/24 or fd00::/64`)
    }
  }
  const ports = root.has('ports') ? parsePorts(root.mapping('ports')) : null
  if (remote !== 'drivers') return null
  if (!root.has('networks')) {
    root.problem(
      'networks',
      'is missing: in which networks hosts may lie that are configured from the platform',
    )
  }
  return { networks, ports }
}

function parsePorts(fields: Fields): PortsByKind {
  const named = kindsWithPorts.filter((kind) => fields.has(kind))
  const ports = named.map((kind) => {
    const ranges = fields.texts(kind, configLimits.portRangesMax, 11).flatMap((text) => {
      const range = parsePortRange(text)
      if (range === null) fields.problem(kind, `has "${text}", which does not look like 502 or 1500-1510`)
      return range ?? []
    })
    return [kind, ranges]
  })
  fields.finish()
  return Object.fromEntries(ports)
}
