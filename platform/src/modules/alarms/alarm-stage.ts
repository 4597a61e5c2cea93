import type { alarms } from '@busbar/contract'

/** The facts of an alarm that decide its state. */
export interface StageFacts {
  readonly isActive: boolean
  readonly isConfirmed: boolean
  /** A shelving in force covers it. */
  readonly isShelved: boolean
  readonly isOutOfService: boolean
}

/** The state of an alarm by ISA-18.2 and IEC 62682 (rules/alarms.md: alarm states). */
export function stageOf({ isActive, isConfirmed, isShelved, isOutOfService }: StageFacts): alarms.AlarmStage {
  if (isOutOfService) return 'outOfService'
  if (isShelved) return 'shelved'
  if (isActive) return isConfirmed ? 'activeAcknowledged' : 'activeUnacknowledged'
  return isConfirmed ? 'normal' : 'clearedUnacknowledged'
}
