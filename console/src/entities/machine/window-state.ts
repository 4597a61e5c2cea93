import type { MaintenanceSpan } from './machine.ts'

/** The current state of a maintenance window. */
export type WindowState = 'open' | 'later' | 'over' | 'suspended'

export function windowState({ start, stop, isSuspended }: MaintenanceSpan, now: number): WindowState {
  if (stop !== null && stop <= now) return 'over'
  if (isSuspended) return 'suspended'
  return start > now ? 'later' : 'open'
}
