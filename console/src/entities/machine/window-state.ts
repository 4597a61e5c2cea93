import type { MaintenanceSpan } from './machine.ts'

/** How a maintenance window stands now. */
export type WindowState = 'open' | 'later' | 'over' | 'suspended'

export function windowState({ start, stop, isSuspended }: MaintenanceSpan, now: number): WindowState {
  if (stop <= now) return 'over'
  if (isSuspended) return 'suspended'
  return start > now ? 'later' : 'open'
}
