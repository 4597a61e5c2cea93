import type { Machine } from '../../../entities/enterprise/enterprise-queries.ts'

/** How a maintenance window stands now; undefined where the device has none. */
export type WindowState = 'open' | 'later' | 'over' | 'suspended'

export function windowState(
  machine: Pick<Machine, 'maintainstart' | 'maintainstop' | 'maintainState'>,
  now: number,
): WindowState | undefined {
  const { maintainstart: start, maintainstop: stop, maintainState: state } = machine
  if (start === null || stop === null) return undefined
  if (stop <= now) return 'over'
  if (state === 'suspended') return 'suspended'
  return start > now ? 'later' : 'open'
}
