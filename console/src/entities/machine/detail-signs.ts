import { machines } from '@busbar/contract'
import type { Signs } from './machine-state.ts'

type Detail = Pick<machines.HeldDetail, 'online' | 'openAlarms'>

/** The signs of a machine by its details: an alarm that is shelved or out of service does not count. */
export function signsOf({ online, openAlarms }: Detail): Signs {
  const active = openAlarms.filter((alarm) => alarm.shelvedUntil === null && !alarm.outOfService)
  const worstAlarm =
    machines.alarmLevels.find((level) => active.some((alarm) => alarm.level === level)) ?? null
  return { online, openAlarms: active.length, worstAlarm }
}
