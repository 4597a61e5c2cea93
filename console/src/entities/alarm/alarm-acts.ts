import { type AnswerOf, ApiError, type alarms } from '@busbar/contract'
import type { BulkFailure } from '../../shared/ui/dialogs/run-bulk.ts'
import type { Alarm } from './alarm.ts'
import { alarmsKey } from './alarm-queries.ts'

/** The part of an alarm that an act on it needs. */
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

type Done = AnswerOf<typeof alarms.confirmManyAlarms>['list'][number]

/** The alarms that the platform refused to act on, each with its reason. */
export function refusedOf(
  rows: readonly ActedAlarm[],
  done: readonly Pick<Done, 'id' | 'result' | 'code'>[],
): BulkFailure<ActedAlarm>[] {
  const refused = done.filter(({ result }) => result === 'refused')
  const codes = new Map(refused.map(({ id, code }) => [id, code]))
  return rows.flatMap((row) => {
    const code = codes.get(row.alarmId)
    return code === undefined
      ? []
      : [{ row, error: new ApiError({ http: 200, hwcode: 0, code, message: '' }) }]
  })
}
