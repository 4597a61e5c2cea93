import type { machines } from '@busbar/contract'

/** Alarms of one machine that may stand at a time; more are not raised. */
export const openAlarmsMax = 1_000

/** A machine's message that one of its alarms was raised or cleared. Times are epoch milliseconds, whole ones. */
export interface AlarmEvent {
  readonly machineId: number
  readonly key: string
  readonly level: machines.AlarmLevel
  /** By language; the key `''` is a text whose language is not known. */
  readonly text: Readonly<Record<string, string>>
  readonly state: 'raised' | 'cleared'
  /** True where it only says how things are, as a birth does: an open alarm does not count up. */
  readonly isRepeat: boolean
  /** Told after an outage. */
  readonly late: boolean
  readonly at: number
  readonly receivedAt: number
  /** Of a late one: how the alarm stands now, where the machine has told. */
  readonly standing:
    | {
        readonly state: AlarmEvent['state']
        /** The machine's own time; undefined where it gave none. */
        readonly time: number | undefined
        /** That time where it is believed, otherwise the time of arrival. */
        readonly since: number
      }
    | undefined
}
