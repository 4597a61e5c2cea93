import type { alarms, machines, telemetry } from '@busbar/contract'

/** An alarm of a machine as it is after a change. */
interface AlarmState {
  readonly machineId: number
  readonly alarmId: number
  readonly key: string
  readonly level: machines.AlarmLevel
  /** By language; the key `''` is a text whose language is not known. */
  readonly text: Readonly<Record<string, string>>
  /** Number of raisings while it was active. */
  readonly count: number
  /** The rule that raised it; undefined: the machine itself. */
  readonly ruleId?: number
  readonly tagId?: number
  /** The value as it crossed the limit, and that limit. */
  readonly value?: telemetry.TagValue
  readonly limit?: telemetry.TagValue
}

/** Alarms of a machine that notify nobody for a while: those of a name, of a rule, of a variable, or all. */
interface ShelveState {
  readonly machineId: number
  readonly shelveId: number
  readonly scope: alarms.ShelveScope
  readonly key?: string
  readonly ruleId?: number
  readonly tagId?: number
  /** When it ends by itself; undefined: a person ends it. */
  readonly until?: number
}

/** Facts about alarms. */
export interface AlarmFacts {
  /** An alarm stands. */
  'alarm.raised': AlarmState
  /** It was raised again while it was active. */
  'alarm.counted': AlarmState
  /** It has another level or text. */
  'alarm.changed': AlarmState
  /** It is no longer active. */
  'alarm.cleared': AlarmState
  /**
   * A late message about an alarm of the past, which did not change the active one; `at` is when it was raised, `until`
   * when it ended: the same instant while that is unknown.
   */
  'alarm.filled': AlarmState & { readonly until?: number }
  /** The person `userId`, or the contact, saw it. */
  'alarm.confirmed': AlarmState & { readonly contactId?: number }
  /** The person `userId` shelved alarms until an instant. */
  'alarm.shelved': ShelveState
  /** A shelving ended: by the person `userId`, or by itself. */
  'alarm.unshelved': ShelveState
  /** The person `userId` took alarms out of service. */
  'alarm.outOfService': ShelveState
  /** They are in service again. */
  'alarm.inService': ShelveState
}
