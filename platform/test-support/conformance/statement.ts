import type { Proof } from './proofs.ts'
import type { Reason } from './reasons-not.ts'

/**
 * The verdict on a normative statement: it `holds` and tests show it; it binds the `client` alone, and tests show the
 * result for a client that breaks it; its subject is `absent`; or the platform `differs`, knowingly.
 */
export type Verdict = 'holds' | 'client' | 'absent' | 'differs'

/** How each specification numbers a statement, without MQTT and brackets; empty where it does not have it. */
export type Ids = readonly [in311: string, in5: string]

export interface Statement {
  readonly ids: Ids
  /** In a few words of our own. */
  readonly says: string
  readonly verdict: Verdict
  readonly reason?: Reason
  readonly proofs: readonly Proof[]
}

export function holds(ids: Ids, says: string, first: Proof, ...more: readonly Proof[]): Statement {
  return { ids, says, verdict: 'holds', proofs: [first, ...more] }
}

export function client(ids: Ids, says: string, ...proofs: readonly Proof[]): Statement {
  return { ids, says, verdict: 'client', proofs }
}

export function absent(ids: Ids, says: string, reason: Reason, ...proofs: readonly Proof[]): Statement {
  return { ids, says, verdict: 'absent', reason, proofs }
}

export function differs(
  ids: Ids,
  says: string,
  reason: Reason,
  first: Proof,
  ...more: readonly Proof[]
): Statement {
  return { ids, says, verdict: 'differs', reason, proofs: [first, ...more] }
}
