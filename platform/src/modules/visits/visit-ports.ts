import type { visits } from '@busbar/contract'

/** By what right a person is at a machine's ports: a visitor may only look, where the agent's file lets visitors. */
export type PortReach = 'user' | 'visitor'

/** The part of a count that passed at one port. */
export interface PortCount {
  readonly name: string
  readonly kind: visits.PortKind
  readonly streams: number
  /** From the visitor to the machine. */
  readonly bytesIn: number
  readonly bytesOut: number
  readonly reads: number
  readonly writes: number
  readonly refused: number
}
