import type { Proof } from './proofs.ts'
import type { Reason } from './reasons-not.ts'

/**
 * The verdict on a normative statement: it `holds` and tests show it; it binds the `client` alone, and tests show the
 * result for a client that breaks it; its subject is `absent`; or the platform `differs`, knowingly.
 */
export type Verdict = 'holds' | 'client' | 'absent' | 'differs'

export interface Statement {
  /** As the specification numbers it, without MQTT and brackets. */
  readonly id: string
  /** In a few words of our own. */
  readonly says: string
  readonly verdict: Verdict
  readonly reason?: Reason
  readonly proofs: readonly Proof[]
}

export function holds(id: string, says: string, first: Proof, ...more: readonly Proof[]): Statement {
  return { id, says, verdict: 'holds', proofs: [first, ...more] }
}

export function client(id: string, says: string, ...proofs: readonly Proof[]): Statement {
  return { id, says, verdict: 'client', proofs }
}

export function absent(id: string, says: string, reason: Reason, ...proofs: readonly Proof[]): Statement {
  return { id, says, verdict: 'absent', reason, proofs }
}

export function differs(
  id: string,
  says: string,
  reason: Reason,
  first: Proof,
  ...more: readonly Proof[]
): Statement {
  return { id, says, verdict: 'differs', reason, proofs: [first, ...more] }
}
