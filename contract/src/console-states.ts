/*
 * The console's states that travel as numbers. Which of the others are words, and where they stand:
 * docs/decisions/0035-console-states.md.
 */

/** The operations on a machine; answers that change one carry the number as `state`. */
export const operationStates = {
  /** No running operation, or the machine was just added. */
  idle: 0,
  /** Its name in the caller's list was changed, alone or beside the remark. */
  edited: 1,
  /** Another change. */
  generic: 5,
  /** Only the remark was changed. */
  remarkUpdated: 10,
  /** The details to edit are there. */
  detailsLoaded: 66,
  /** The platform did not do it. */
  failed: 204,
  /** The caller may not do it. */
  refused: 205,
  /** It could not be taken out of the list. */
  removeFailed: 901,
  /** It was taken out of the list. */
  removed: 902,
} as const
export type OperationState = (typeof operationStates)[keyof typeof operationStates]
