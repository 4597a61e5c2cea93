import packageJson from '../../package.json' with { type: 'json' }
import type { Clock } from '../clock.ts'
import type { AgentConfig } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { PlatformRoutes } from './json-answers.ts'
import type { PageHandler } from './page-handler.ts'
import { Ports, type PortTagAt } from './ports/index.ts'
import { createRouter } from './router.ts'
import { createTargets } from './target.ts'
import { startTunnel } from './tunnel.ts'

export interface AgentTunnelParts {
  page: PageHandler
  /** Null: nothing is configured from the platform. */
  remote?: PlatformRoutes | null
  /** Its state, its log and its searches. */
  service?: PlatformRoutes | null
  /** Without it, writes through ports are told without variables. */
  tagAt?: PortTagAt
  clock: Clock
  log: Log
  random: () => number
}

/** Opens the tunnel of a configuration, and what it leads to. */
export function startAgentTunnel(
  config: Pick<AgentConfig, 'cloud' | 'targets' | 'ports'>,
  { page, remote = null, service = null, tagAt = () => null, clock, log, random }: AgentTunnelParts,
): { stop(): void } {
  const { tunnel: url, code, secret } = config.cloud
  if (url === null) {
    log('info', 'tunnel.disabled', { reason: 'cloud.tunnel is not set, and cloud.url is not ws or wss' })
    return { stop: () => undefined }
  }
  const targets = createTargets(config.targets)
  const ports = new Ports(config.ports, clock, log, tagAt)
  const route = createRouter({
    version: packageJson.version,
    page,
    targets,
    ports,
    clock,
    remote,
    service,
  })
  const tunnel = startTunnel({ url, code, secret, route, clock, log, random })
  return {
    stop() {
      ports.stop()
      tunnel.stop()
      for (const target of targets) target.close()
    },
  }
}
