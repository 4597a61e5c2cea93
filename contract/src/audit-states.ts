/** The states of an application (rules/access.md: application states). */
export const auditStates = {
  waiting: 0,
  waitsForBkey: 1,
  waitsForAkey: 2,
  refusedByAkey: 3,
  refusedByBkey: 4,
  passed: 5,
  /** Not answered within 24 hours, withdrawn, or for a right that is no longer available. */
  over: 6,
} as const
export type AuditState = (typeof auditStates)[keyof typeof auditStates]

/** Whether an application in this state still waits for an answer. */
export const isAuditOpen = (state: number): boolean => state < auditStates.refusedByAkey
