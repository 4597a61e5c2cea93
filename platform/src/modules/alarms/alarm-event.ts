import type { machines, telemetry } from '@busbar/contract'

/** Alarms of one machine that may stand at a time; more are not raised (rules/alarms.md: an alarm). */
export const openAlarmsMax = 1_000

/** Why an alarm of a rule ends without its condition: the rule evaluates something else from now on, or is removed. */
export type EndNote = 'ruleChanged' | 'ruleRemoved'

/**
 * An alarm was raised or cleared: by a machine's message about its own alarm, or by an outcome of a rule. Times are
 * epoch milliseconds, whole ones. The alarms of a machine and those of each rule have separate keys: an event belongs
 * to an open alarm of the same machine, `ruleId` and key.
 */
export interface AlarmEvent {
  readonly machineId: number
  readonly key: string
  readonly level: machines.AlarmLevel
  /** By language; the key `''` is a text whose language is not known. */
  readonly text: Readonly<Record<string, string>>
  readonly state: 'raised' | 'cleared'
  /** True if it only reports the present state, as a birth does: an open alarm does not count up. */
  readonly isRepeat: boolean
  /** Sent after an outage. */
  readonly late: boolean
  readonly at: number
  /**
   * The machine's own time of it as the machine gave it, also where `at` is another; undefined: none, or one that cannot
   * be. By it an event that is sent again is known.
   */
  readonly toldAt?: number | undefined
  readonly receivedAt: number
  /** The rule that raised it; undefined: the machine itself. */
  readonly ruleId?: number | undefined
  /** The variable it is about. */
  readonly tagId?: number | undefined
  /** The value as it crossed the limit, and that limit. */
  readonly value?: telemetry.TagValue | undefined
  readonly limit?: telemetry.TagValue | undefined
  /** The recommended action, by language. */
  readonly instruction?: Readonly<Record<string, string>> | undefined
  /** Why it is cleared where its condition may still hold; kept with its event. */
  readonly note?: EndNote | undefined
  /** For a late one: the present state of the alarm, if the machine has reported it. */
  readonly standing:
    | {
        readonly state: AlarmEvent['state']
        /** The machine's own time; undefined if it gave none. */
        readonly time: number | undefined
        /** That time if it is plausible, otherwise the time of arrival. */
        readonly since: number
      }
    | undefined
}
