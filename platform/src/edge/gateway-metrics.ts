import { counter, gauge, histogram, type Metric, queueLength } from '../kernel/metrics/index.ts'
import type { GatewayStats } from './gateway-types.ts'

/** The gateway's metrics; `docs/operations.md` explains how to act on them. */
export function gatewayMetrics(ingest: GatewayStats): Metric[] {
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
    queueLength('raw_messages', ingest.rawWaiting),
  ]
}
