import { access, machines } from '@busbar/contract'
import type { MachineRole } from './access-queries.ts'

/** The caller's own rights over a machine that limit the rights they may give. */
export type OwnRight = Pick<MachineRole, 'level' | 'readOnly' | 'alarm'>

/** The reasons why a key may not give a right: it may only watch, or gets no alarms; undefined if it may. */
export interface GivingLimits {
  /** Read-write, and the actions that need it: settings, and taking a person off the blacklist. */
  readonly mode: 'watches' | undefined
  readonly alarms: 'watches' | 'deaf' | undefined
}

export const noLimits: GivingLimits = { mode: undefined, alarms: undefined }

/** The platform's rule of giving, applied to the choices of this page (`docs/decisions/0025-giving.md`). */
export function limitsOf(own: OwnRight | undefined): GivingLimits {
  if (!own || own.level >= machines.limitAuthority.akey) return noLimits
  if (own.readOnly) return { mode: 'watches', alarms: 'watches' }
  return { mode: undefined, alarms: own.alarm ? undefined : 'deaf' }
}

/** The reason why the caller cannot extend a visitor's time with the visitor's rights; undefined: they can. */
export function findTimeLack(
  limits: GivingLimits,
  visitor: Pick<access.Visitor, 'limitRead' | 'limitAlarm' | 'visitTime'>,
  visitTime: number,
): 'mode' | 'alarms' | undefined {
  const { forever } = access.visitTimes
  const isLonger = visitor.visitTime !== forever && (visitTime === forever || visitTime > visitor.visitTime)
  if (!isLonger) return undefined
  if (limits.mode && visitor.limitRead === 0) return 'mode'
  return limits.alarms === 'deaf' && visitor.limitAlarm === 1 ? 'alarms' : undefined
}
