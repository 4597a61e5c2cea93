import type { Lang } from '@busbar/contract'
import type { Period } from './schedule.ts'

/** A report's contents for one reader. It holds names as that reader calls things, and no texts of the platform's own. */
export interface ReportData extends Period {
  readonly name: string
  readonly lang: Lang
  /** By IANA. */
  readonly timeZone: string
  readonly brand: { readonly name: string; readonly accent: string }
  /** The person or the enterprise whose report it is. */
  readonly owner: string
  readonly madeAt: number
  readonly machines: readonly ReportMachine[]
  readonly leftOut: LeftOut
  readonly availability: readonly Availability[] | undefined
  readonly statistics: readonly TagFigures[] | undefined
  readonly trends: readonly Trend[] | undefined
  readonly alarms: AlarmFigures | undefined
}

export interface ReportMachine {
  readonly id: number
  readonly name: string
  readonly code: string
}

/** The data that a report should include and does not. */
export interface LeftOut {
  /** Devices to which its owner has lost the right. */
  readonly machines: number
  /** Devices that its owner sees, and this reader does not. */
  readonly unseen: number
  /** Variables that do not exist any more, by their devices' names for them. */
  readonly tags: readonly string[]
  /** Variables whose samples were too many to read. */
  readonly tooLarge: readonly string[]
}

/** The connected time of a device. */
export interface Availability {
  readonly machineId: number
  readonly onlineMs: number
  /** The part of the period in which the platform knew the device. */
  readonly knownMs: number
  readonly outages: number
  readonly longestMs: number
}

/** A variable as tables and charts name it. */
export interface ReportTag {
  readonly machineId: number
  readonly tagId: number
  readonly group: string
  readonly name: string
  readonly unit: string
  /** Decimal places; null: as they come. */
  readonly digits: number | null
  /** The words of a state by its value. */
  readonly words: Readonly<Record<string, string>>
}

export type Value = number | string | boolean | null

/** A variable's statistics in the period. */
export interface TagFigures extends ReportTag {
  /** Averages were read instead of samples: statistics that depend on time are missing. */
  readonly isOfAverages: boolean
  readonly samples: number
  readonly min: { readonly value: Value; readonly at: number } | null
  readonly max: { readonly value: Value; readonly at: number } | null
  readonly mean: number | null
  readonly timeMean: number | null
  readonly last: Value
  readonly delta: Value
  readonly resets: number
  readonly gapMs: number | null
  /** For a state. */
  readonly states: readonly { readonly value: Value; readonly ms: number; readonly times: number }[] | null
}

/** A variable over the period. */
export interface Trend extends ReportTag {
  readonly kind: 'band' | 'states'
  /** A value is null if a line breaks. */
  readonly points: readonly (readonly [at: number, value: Value, low: number | null, high: number | null])[]
  /** Times in which the device was away, or had no value yet. */
  readonly gaps: readonly (readonly [from: number, to: number])[]
}

export type Level = 'critical' | 'major' | 'minor' | 'info'
export const levels: readonly Level[] = ['critical', 'major', 'minor', 'info']

export interface ReportAlarm {
  readonly machineId: number
  readonly level: Level
  readonly text: string
  readonly raisedAt: number
  /** Null: it was active at the end. */
  readonly clearedAt: number | null
  /** Its active time within the period, in ms. */
  readonly ms: number
  readonly count: number
  readonly confirmedBy: string | null
}

/** Alarms that were raised or active in the period. */
export interface AlarmFigures {
  readonly raised: number
  readonly byMachine: readonly ({ readonly machineId: number; readonly ms: number } & Readonly<
    Record<Level, number>
  >)[]
  readonly longest: readonly ReportAlarm[]
  readonly list: readonly ReportAlarm[]
  /** Alarms of which the list shows the latest. */
  readonly total: number
}
