import type { MeteredParts } from './platform-metrics.ts'

/** What the platform knows of its own work this moment, as an operator reads it. */
export interface Figures {
  readonly machinesOnline: number
  /** Messages of machines, and samples of them committed, since the start. */
  readonly messages: number
  readonly samples: number
  readonly pushSockets: number
  readonly tunnels: number
  readonly visits: number
  readonly requestsInFlight: number
  /** What waits, by name. */
  readonly queues: readonly { readonly name: string; readonly length: number }[]
  /** Whether machines are asked to wait. */
  readonly isUnderPressure: boolean
  /** Since changes of rights were read. */
  readonly rightsAgeMs: number
}

/** Reads the figures of a platform's parts. */
export function readFigures(
  parts: Pick<
    MeteredParts,
    'gateway' | 'telemetry' | 'rights' | 'hub' | 'states' | 'writes' | 'tunnels' | 'visits' | 'port'
  >,
): Figures {
  const ingest = parts.gateway.stats()
  return {
    machinesOnline: ingest.online,
    messages: ingest.messages,
    samples: ingest.points,
    pushSockets: parts.hub.stats().sockets,
    tunnels: parts.tunnels.stats().tunnels,
    visits: parts.visits.stats().visits,
    requestsInFlight: parts.port.inFlight.console + parts.port.inFlight.site,
    queues: [
      { name: 'records', length: ingest.waiting },
      { name: 'rawMessages', length: ingest.rawWaiting },
      { name: 'machineStates', length: parts.states.waiting },
      { name: 'writeOutcomes', length: parts.writes.stats().unstored },
    ],
    isUnderPressure: parts.telemetry.isUnderPressure,
    rightsAgeMs: parts.rights.unreadMs,
  }
}
