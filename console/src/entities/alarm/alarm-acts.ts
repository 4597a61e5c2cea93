import type { Alarm } from './alarm.ts'
import { alarmsKey } from './alarm-queries.ts'

/** As much of an alarm as an act on it needs. */
export type ActedAlarm = Pick<
  Alarm,
  'alarmId' | 'machineId' | 'text' | 'key' | 'ruleId' | 'tagId' | 'confirmed' | 'stage' | 'mayShelve'
>

/** Acts on one alarm or several, each with a dialog. */
export type AlarmAct = 'confirm' | 'shelve' | 'outOfService'

/** The queries that an act on an alarm changes: lists of alarms, and the machine that has it. */
export const touchedByAlarms = [alarmsKey, ['machines']] as const

/** Whether an alarm can be acted on in this way. */
export function allowsAct(act: AlarmAct, alarm: ActedAlarm): boolean {
  if (act === 'confirm') return !alarm.confirmed
  return alarm.mayShelve && alarm.stage !== 'outOfService' && (act !== 'shelve' || alarm.stage !== 'shelved')
}
