import { isNetwork } from '../remote/networks.ts'
import type { RemoteConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'

/** `remote: drivers` with `networks: [192.168.0.0/24]`; without it nothing is configured from the platform. */
export function parseRemoteSwitch(root: Fields): RemoteConfig | null {
  const remote = root.oneOf('remote', ['drivers', 'off'])
  const networks = root.texts('networks', configLimits.networksMax, 64)
  for (const network of networks) {
    if (!isNetwork(network)) {
      root.problem('networks', `has "${network}", which does not look like 192.168.0.0/24 or fd00::/64`)
    }
  }
  if (remote !== 'drivers') return null
  if (!root.has('networks')) {
    root.problem(
      'networks',
      'is missing: in which networks hosts may lie that are configured from the platform',
    )
  }
  return { networks }
}
