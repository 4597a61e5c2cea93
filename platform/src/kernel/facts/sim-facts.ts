interface OfSim {
  readonly machineId: number
  readonly simId: number
}

/** Facts about the SIM card of a machine, by kind. */
export interface SimFacts {
  /** `state`: its number, from 1. */
  'sim.stateChanged': OfSim & { readonly state: number }
  /** It used this much of its month's volume. */
  'sim.usageCrossed': OfSim & { readonly percent: number }
  'sim.endsSoon': OfSim & { readonly days: number }
  /** Another machine reports it. */
  'sim.inOtherMachine': OfSim
}
