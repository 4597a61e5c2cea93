import type { GatewayModule } from '../edge/gateway-module.ts'
import type { TunnelModule } from '../edge/tunnels/tunnel-module.ts'
import type { Cluster } from '../kernel/cluster/cluster.ts'
import { expiryGauge } from '../kernel/http/certificates.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { counter, gauge, type Metric } from '../kernel/metrics/index.ts'
import type { Module } from '../kernel/module.ts'
import type { TelemetryModule } from '../modules/telemetry/index.ts'
import { ClusterEdgeLink } from './cluster/cluster-edge-link.ts'
import { Holder } from './cluster/holder.ts'
import type { EdgeLink } from './edge-link.ts'
import { LocalEdgeLink } from './local-edge-link.ts'
import { NodeStreams } from './streams/node-streams.ts'
import { StreamServer } from './streams/stream-server.ts'

export interface EdgeLinkModule extends Module {
  readonly link: EdgeLink
}

interface Deps {
  readonly gateway: GatewayModule
  readonly tunnels: TunnelModule
  readonly telemetry: TelemetryModule
}

/** The port to the holders of machines: this process alone, or all processes of a cluster. */
export function createEdgeLinkModule(kernel: Kernel, deps: Deps): EdgeLinkModule {
  const { db, node, bus, cluster, peers } = kernel
  const { gateway } = deps.gateway
  const { registry: tunnels } = deps.tunnels
  const { store: telemetry } = deps.telemetry
  const nodeId = node.id
  const local = new LocalEdgeLink({ db, nodeId, bus, gateway, tunnels, telemetry })
  const roles = ['api', 'edge', 'realtime', 'visits', 'jobs'] as const
  if (!cluster || !peers)
    return { name: 'edge-link', roles, link: local, metrics: () => clusterMetrics(undefined) }
  return {
    roles,
    ...createClusterLink({ ...kernel, cluster, peers }, { local, gateway, tunnels, telemetry }),
  }
}

function createClusterLink(
  {
    db,
    node,
    bus,
    cluster,
    peers: { directory, permits },
    config,
    logger,
    certificate,
  }: Kernel & {
    readonly cluster: Cluster
    readonly peers: NonNullable<Kernel['peers']>
  },
  {
    local,
    gateway,
    tunnels,
    telemetry,
  }: {
    readonly local: LocalEdgeLink
    readonly gateway: GatewayModule['gateway']
    readonly tunnels: TunnelModule['registry']
    readonly telemetry: TelemetryModule['store']
  },
): Omit<EdgeLinkModule, 'roles'> {
  const nodeId = node.id
  const streams = new NodeStreams({ certificate, directory, permits, logger })
  const server = certificate && new StreamServer({ certificate, directory, permits, tunnels, logger })
  let streamPort = config.NODE_PORT
  const holder = new Holder({
    cluster,
    bus,
    logger,
    local,
    gateway,
    tunnels,
    nodeId,
    permits,
    streamAddress: () => server && (config.NODE_ADDRESS ?? `127.0.0.1:${streamPort}`),
  })
  const link = new ClusterEdgeLink({ db, nodeId, bus, logger, cluster, local, telemetry, streams, permits })
  return {
    name: 'edge-link',
    link,
    async start() {
      if (server) streamPort = await server.listen(config.NODE_PORT, config.NODE_HOST)
      link.start()
      holder.start()
      cluster.start()
    },
    async stop() {
      holder.stop()
      link.stop()
      await streams.stop()
      await server?.stop()
      await cluster.stop()
    },
    metrics: () => [
      ...clusterMetrics({
        cluster,
        leases: holder.leased,
        streams: server?.streams ?? 0,
        sessions: streams.sessions,
      }),
      ...(certificate
        ? [expiryGauge([{ certificate: 'node', expiresAt: certificate.expiresAt.getTime() }])]
        : []),
    ],
  }
}

interface ClusterState {
  readonly cluster: Cluster
  readonly leases: number
  readonly streams: number
  readonly sessions: number
}

const nothing = { messages: 0, bytes: 0 }

/** A process that works alone has the same families, so that one set of alerts serves both. */
function clusterMetrics(state: ClusterState | undefined): Metric[] {
  const traffic = state?.cluster.traffic
  const {
    asked = { answered: 0, nobody: 0, unreachable: 0 },
    sent = nothing,
    received = nothing,
    refused = { forged: 0, old: 0, replayed: 0 },
  } = traffic ?? {}
  const bothWays = (unit: 'messages' | 'bytes') => [
    { labels: { direction: 'sent' }, value: sent[unit] },
    { labels: { direction: 'received' }, value: received[unit] },
  ]
  return [
    gauge(
      'busbar_cluster_up',
      '1 while the line to the other processes is up, or where there are none',
      Number(state?.cluster.isUp ?? true),
    ),
    gauge('busbar_cluster_leases', 'Machines here whose values other processes watch', state?.leases ?? 0),
    gauge('busbar_cluster_streams', 'Streams of other nodes in tunnels that end here', state?.streams ?? 0),
    gauge('busbar_cluster_sessions', 'Lines of this process to other nodes', state?.sessions ?? 0),
    counter(
      'busbar_cluster_questions_total',
      'Questions to other processes, by what became of them',
      Object.entries(asked).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    counter(
      'busbar_cluster_refused_total',
      'Messages at NATS that are not of this platform, or were kept and sent again',
      Object.entries(refused).map(([reason, value]) => ({ labels: { reason }, value })),
    ),
    counter('busbar_cluster_messages_total', 'Messages of this process at NATS', bothWays('messages')),
    counter('busbar_cluster_bytes_total', 'Bytes of these messages', bothWays('bytes')),
  ]
}
