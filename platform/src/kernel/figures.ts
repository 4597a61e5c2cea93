/** The platform's own figures of this moment, as an operator reads them. */
export interface Figures {
  readonly machinesOnline: number
  /** Messages of machines, and samples of them committed, since the start. */
  readonly messages: number
  readonly samples: number
  readonly pushSockets: number
  readonly tunnels: number
  readonly visits: number
  readonly requestsInFlight: number
  /** The lengths of queues, by name. */
  readonly queues: readonly { readonly name: string; readonly length: number }[]
  /** Whether machines are asked to wait. */
  readonly isUnderPressure: boolean
  /** Since changes of rights were read. */
  readonly rightsAgeMs: number
  /** Age of the oldest fact that a durable follower has not handled, in ms. */
  readonly factsLagMs: number
}

const none: Figures = {
  machinesOnline: 0,
  messages: 0,
  samples: 0,
  pushSockets: 0,
  tunnels: 0,
  visits: 0,
  requestsInFlight: 0,
  queues: [],
  isUnderPressure: false,
  rightsAgeMs: 0,
  factsLagMs: 0,
}

/** The figures of all modules together; each is one module's, except the queues. */
export function collectFigures(modules: readonly { figures?(): Partial<Figures> }[]): Figures {
  const parts = modules.map((module) => module.figures?.() ?? {})
  const queues = parts.flatMap((part) => part.queues ?? [])
  return Object.assign({}, none, ...parts, { queues })
}
