import { poolStats } from './database/database.ts'
import { type DatabasePools, poolNames } from './database/pools.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { WebPort } from './http/web-port.ts'
import { counter, gauge, histogram, type Metric, type RequestMeter } from './metrics/index.ts'
import type { Telemetry } from './modules/telemetry/index.ts'
import type { Visits } from './modules/visits/index.ts'
import type { WritesService } from './modules/writes/index.ts'
import type { RealtimeHub } from './realtime/hub.ts'
import type { MachineStates } from './realtime/machine-states.ts'
import type { RightsWatch } from './rights/rights-watch.ts'
import type { TunnelRegistry } from './tunnel/tunnel-registry.ts'

/** The parts of a platform that have figures. */
export interface MeteredParts {
  readonly pools: DatabasePools
  readonly gateway: Gateway
  readonly telemetry: Telemetry
  readonly rights: RightsWatch
  readonly hub: RealtimeHub
  readonly states: MachineStates
  readonly writes: WritesService
  readonly tunnels: TunnelRegistry
  readonly visits: Visits
  readonly port: WebPort
  readonly meter: RequestMeter
}

/** Everything a platform tells Prometheus of its own work; `docs/operations.md` says what to do about it. */
export function collectMetrics(parts: MeteredParts): Metric[] {
  return [
    ...ingestMetrics(parts),
    ...queueMetrics(parts),
    ...pushMetrics(parts),
    ...visitMetrics(parts),
    ...databaseMetrics(parts),
    ...parts.meter.collect(),
  ]
}

function ingestMetrics({ gateway }: MeteredParts): Metric[] {
  const ingest = gateway.stats()
  const transports = Object.entries(ingest.byTransport)
  return [
    gauge('busbar_machines_online', 'Machines that are online', ingest.online),
    gauge('busbar_mqtt_connections', 'Open MQTT connections', [
      { labels: { transport: 'tcp' }, value: ingest.connections - ingest.webSockets },
      { labels: { transport: 'websocket' }, value: ingest.webSockets },
    ]),
    counter(
      'busbar_ingest_messages_total',
      'Messages of machines taken',
      transports.map(([transport, { messages }]) => ({ labels: { transport }, value: messages })),
    ),
    counter(
      'busbar_ingest_bytes_total',
      'Payload bytes of these messages',
      transports.map(([transport, { bytes }]) => ({ labels: { transport }, value: bytes })),
    ),
    counter('busbar_ingest_samples_total', 'Samples committed', ingest.points),
    counter('busbar_machine_logins_refused_total', 'Logins of machines refused', ingest.refusedLogins),
    counter(
      'busbar_ingest_too_fast_total',
      'Messages of QoS 0 dropped because their machine sent too many values',
      ingest.tooFast,
    ),
    gauge('busbar_mqtt_newcomers', 'MQTT connections that have not signed in', ingest.newcomers),
    counter(
      'busbar_mqtt_connections_refused_total',
      'Connections refused because too many had not signed in',
      ingest.refusedConnections,
    ),
    gauge(
      'busbar_mqtt_unfinished_bytes',
      'Bytes of packets that have not come whole',
      ingest.unfinishedBytes,
    ),
    counter(
      'busbar_mqtt_unfinished_ended_total',
      'Connections ended because of a packet that did not come whole',
      ingest.endedUnfinished,
    ),
    histogram(
      'busbar_ingest_acknowledge_seconds',
      'From a message with QoS 1 or 2 being read to its PUBACK or PUBREC',
      ingest.acknowledgeSeconds,
    ),
    histogram('busbar_commit_seconds', 'Commits of samples', ingest.commit.commitSeconds),
  ]
}

function queueMetrics({ gateway, telemetry, states, writes, port }: MeteredParts): Metric[] {
  const ingest = gateway.stats()
  const { open, unstored } = writes.stats()
  const queue = (name: string, value: number) => ({ labels: { queue: name }, value })
  return [
    gauge('busbar_queue_length', 'What waits to be written', [
      queue('records', ingest.waiting),
      queue('raw_messages', ingest.rawWaiting),
      queue('machine_states', states.waiting),
      queue('write_outcomes', unstored),
    ]),
    gauge(
      'busbar_ingest_stalled_seconds',
      'How long records have waited without any commit',
      telemetry.stats().stalledMs / 1_000,
    ),
    gauge('busbar_ingest_pressure', '1 while machines are asked to wait', Number(telemetry.isUnderPressure)),
    gauge('busbar_writes_open', 'Set-points sent to machines and not answered yet', open),
    gauge('busbar_http_requests_in_flight', 'Requests being answered', [
      { labels: { site: 'console' }, value: port.inFlight.console },
      { labels: { site: 'visits' }, value: port.inFlight.site },
    ]),
  ]
}

function pushMetrics({ hub }: MeteredParts): Metric[] {
  const push = hub.stats()
  return [
    gauge('busbar_push_sockets', 'Open push sockets', push.sockets),
    gauge('busbar_push_channels', 'Different sets of tags that are watched', push.channels),
    gauge('busbar_push_watches', 'Watches of all sockets', push.watches),
    counter('busbar_push_frames_total', 'Frames sent to pages', push.frames),
    counter('busbar_push_bytes_total', 'Bytes of these frames', push.bytes),
    counter('busbar_push_frames_held_back_total', 'Frames a slow page was spared', push.heldBack),
    counter('busbar_push_sockets_given_up_total', 'Sockets ended because a page did not read', push.givenUp),
  ]
}

function visitMetrics({ tunnels, visits }: MeteredParts): Metric[] {
  const tunnel = tunnels.stats()
  const visit = visits.stats()
  return [
    gauge('busbar_tunnels', 'Machines whose tunnel is open', tunnel.tunnels),
    gauge('busbar_tunnel_streams', 'Streams open in tunnels', tunnel.streams),
    counter('busbar_tunnel_sent_bytes_total', 'Bytes sent to agents', tunnel.sentBytes),
    counter('busbar_tunnel_received_bytes_total', 'Bytes received from agents', tunnel.receivedBytes),
    counter('busbar_tunnels_cut_total', 'Tunnels cut because a secret was renewed', tunnel.cuts),
    gauge('busbar_visits', 'Live visits', [
      { labels: { mode: 'ro' }, value: visit.visits - visit.readWrite },
      { labels: { mode: 'rw' }, value: visit.readWrite },
    ]),
    gauge('busbar_visit_streams', 'Requests and WebSockets open in visits', visit.streams),
    counter('busbar_visit_streams_cut_total', 'Of them, those that were cut', visit.cutStreams),
    counter(
      'busbar_visits_ended_total',
      'Visits that ended, by reason',
      [...visit.ended].map(([reason, value]) => ({ labels: { reason }, value })),
    ),
  ]
}

function databaseMetrics({ pools, rights }: MeteredParts): Metric[] {
  const stats = poolNames.map((pool) => ({ pool, ...poolStats(pools[pool]) }))
  return [
    gauge(
      'busbar_database_connections',
      'Connections to the database',
      stats.flatMap(({ pool, open, idle }) => [
        { labels: { pool, state: 'busy' }, value: open - idle },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    ),
    gauge(
      'busbar_database_connections_max',
      'Connections allowed (DATABASE_POOL, shared among the pools)',
      stats.map(({ pool, max }) => ({ labels: { pool }, value: max })),
    ),
    gauge(
      'busbar_database_waiting',
      'Queries for which there was no connection',
      stats.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    ),
    gauge(
      'busbar_rights_read_age_seconds',
      'How long this process ran since changes of rights were read; from 5 s on what is open is cut',
      rights.unreadMs / 1_000,
    ),
  ]
}
