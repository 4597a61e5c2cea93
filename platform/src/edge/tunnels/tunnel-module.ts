import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { GatewayModule } from '../gateway-module.ts'
import { TunnelRegistry } from './tunnel-registry.ts'

export interface TunnelModule extends Module {
  readonly registry: TunnelRegistry
}

/** The tunnels of the machines' agents. */
export function createTunnelModule(
  { rights, logger, now }: Kernel,
  { gateway: { gateway } }: { readonly gateway: GatewayModule },
): TunnelModule {
  const registry = new TunnelRegistry({ logins: gateway.logins, rights, logger, now })
  return {
    name: 'tunnels',
    roles: ['edge'],
    registry,
    start() {
      registry.onChange((machineId, tunnel) => {
        if (tunnel) gateway.lineNotes.tunnelOpened(machineId)
      })
      registry.start()
    },
    leave: (ms) => registry.leave(ms),
    stop: () => registry.stop(),
    metrics() {
      const tunnel = registry.stats()
      return [
        gauge('busbar_tunnels', 'Machines whose tunnel is open', tunnel.tunnels),
        gauge('busbar_tunnels_bare', 'Of the open tunnels those without a WebSocket', tunnel.bareTunnels),
        gauge('busbar_tunnel_streams', 'Streams open in tunnels', tunnel.streams),
        counter('busbar_tunnel_sent_bytes_total', 'Bytes sent to agents', tunnel.sentBytes),
        counter('busbar_tunnel_received_bytes_total', 'Bytes received from agents', tunnel.receivedBytes),
        counter('busbar_tunnels_cut_total', 'Tunnels cut because a secret was renewed', tunnel.cuts),
      ]
    },
    figures: () => ({ tunnels: registry.stats().tunnels }),
  }
}
