import type { machines } from '@busbar/contract'
import type { DisplayState } from '../../shared/ui/data/display-state.ts'
import type { Machine } from './machine.ts'

/** The signs by which a machine's state is told. */
export type Signs = Pick<Machine, 'online' | 'openAlarms' | 'worstAlarm'>

const stateOfLevel: Record<machines.AlarmLevel, DisplayState> = {
  critical: 'alarm',
  major: 'alarm',
  minor: 'warning',
  info: 'online',
}

/** The state an alarm's level puts a machine in; information is not a reason to worry. */
export function levelState(level: machines.AlarmLevel | null): DisplayState {
  return level === null ? 'online' : stateOfLevel[level]
}

/**
 * The state a machine is shown in. Offline wins: its last alarms may be out of date, and the first thing to
 * do is to bring it back.
 */
export function displayState(machine: Signs): DisplayState {
  if (!machine.online) return 'offline'
  return machine.openAlarms > 0 ? levelState(machine.worstAlarm) : 'online'
}

/** All that is true of a machine, trouble first: one that is offline may have active alarms as well. */
export function statesOf(machine: Signs): DisplayState[] {
  if (machine.online) return [displayState(machine)]
  const state = alarmState(machine)
  return state === 'online' ? ['offline'] : [state, 'offline']
}

/** The colour of an alarm count: that of the level, also while the machine is offline. */
export function alarmState(machine: Signs): DisplayState {
  return machine.openAlarms > 0 ? levelState(machine.worstAlarm) : 'online'
}

/** The states of a machine in words. */
export const sayStates = (machine: Signs, words: Readonly<Record<DisplayState, string>>): string =>
  statesOf(machine)
    .map((state) => words[state])
    .join(' · ')
