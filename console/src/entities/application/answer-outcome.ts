import { applications } from '@busbar/contract'

const { waitsForBkey, waitsForAkey, refusedByAkey, refusedByBkey, passed } = applications.auditStates

/** The result of an answer: as wished, the first of two keys, or another person's earlier answer stands. */
export type AnswerOutcome = 'passed' | 'refused' | 'further' | 'other'

/**
 * Judges the state after the caller's answer. Keys that answer at the same moment both get the state of the
 * first answer.
 */
export function judgeOutcome(pass: boolean, auditState: number): AnswerOutcome {
  if (!pass) return auditState === refusedByAkey || auditState === refusedByBkey ? 'refused' : 'other'
  if (auditState === passed) return 'passed'
  return auditState === waitsForBkey || auditState === waitsForAkey ? 'further' : 'other'
}
