import type { machines } from '@busbar/contract'

/** An alarm of a machine as it is after a change. */
interface AlarmState {
  readonly machineId: number
  readonly alarmId: number
  readonly key: string
  readonly level: machines.AlarmLevel
  /** By language; the key `''` is a text whose language is not known. */
  readonly text: Readonly<Record<string, string>>
  /** How often it was raised while it stood. */
  readonly count: number
}
/** Facts about alarms. */
export interface AlarmFacts {
  /** An alarm stands. */
  'alarm.raised': AlarmState
  /** It was raised again while it stood. */
  'alarm.counted': AlarmState
  /** It has another level or text. */
  'alarm.changed': AlarmState
  /** It stands no more. */
  'alarm.cleared': AlarmState
  /**
   * One of the past, which did not change what stands, was told late; `at` is when it was raised, `until` when it ended:
   * the same instant while that is not known.
   */
  'alarm.filled': AlarmState & { readonly until?: number }
  /** The person `userId` saw it. */
  'alarm.confirmed': AlarmState
}
