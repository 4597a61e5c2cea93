import type { TagType } from './tag-type.ts'

/** A value as a machine gives it, before it is judged. */
export type UplinkValue = boolean | number | bigint | string | null

/** One reading. A record never names a machine: it belongs to the machine that logged in. */
export interface SampleRecord {
  readonly kind: 'sample'
  readonly group: string
  readonly tag: string
  /** Undefined: the tag keeps its type, for a reading without a value and without a type. */
  readonly type: TagType | undefined
  readonly value: UplinkValue
  /** One of `qualityNumber`. */
  readonly quality: number
  /** The machine's own time, epoch milliseconds; undefined: the time of arrival. */
  readonly time: number | undefined
  /** Flagged historical or sent as a backlog. */
  readonly late: boolean
  /** The value is the present one, however old its time: a birth tells it. */
  readonly isPresent?: boolean
  /** True if `type` is only guessed from the value: the tag keeps the type it has (`learnType`). */
  readonly isTypeGuess?: boolean
}

/** A machine's definition of one of its tags. Fields it leaves out get their defaults. */
export interface TagDefinitionRecord {
  readonly kind: 'tagDefinition'
  readonly group: string
  readonly tag: string
  readonly type: TagType
  /** True if `type` is only guessed: a known tag keeps its own. */
  readonly isTypeGuess?: boolean
  /**
   * Names for people by language; the key `''` is a name without a language. `group/{lang}` names the group,
   * `words/{lang}` holds a JSON object of texts by value.
   */
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly min: number | null
  readonly max: number | null
  readonly readOnly: boolean
  readonly isKey: boolean
}

export type AlarmLevel = 'critical' | 'major' | 'minor' | 'info'

/** An alarm of the machine's own, as opposed to one of a rule on the platform. */
export interface AlarmRecord {
  readonly kind: 'alarm'
  readonly key: string
  readonly level: AlarmLevel
  /** By language, as `TagDefinitionRecord.label`. */
  readonly text: Readonly<Record<string, string>>
  readonly state: 'raised' | 'cleared'
  /** True if it only reports the present state, as a birth does: an open alarm does not count up. */
  readonly isRepeat: boolean
  readonly time: number | undefined
  readonly late: boolean
  /** For a late one: the present state of the alarm, if the machine has reported it. */
  readonly standing?: { readonly state: AlarmRecord['state']; readonly time: number | undefined }
}

/** Facts about the machine: model, firmware, ip … Merged over those it sent before. */
export interface AttributesRecord {
  readonly kind: 'attributes'
  readonly attributes: Readonly<Record<string, string | number | boolean | object>>
}

/**
 * Samples that a machine's agent had to drop: the stretch is a gap, even if some of its samples are known. A repeated
 * one counts once.
 */
export interface LostRecord {
  readonly kind: 'lost'
  /** Times of the first and last sample dropped, epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly samples: number
}

export type UplinkRecord = SampleRecord | TagDefinitionRecord | AlarmRecord | AttributesRecord | LostRecord

/** Limits of one machine's messages (rules/telemetry.md: variables). */
export const uplinkLimits = {
  tagNameBytesMax: 256,
  groupNameBytesMax: 512,
  alarmKeyBytesMax: 128,
  alarmTextBytesMax: 1024,
  /** Lost spans kept of a machine: the newest. */
  lostSpansMax: 1_000,
  attributesMax: 64,
  /** Objects and lists in one another. */
  attributeDepthMax: 8,
  attributeNameBytesMax: 256,
  /** A tag whose type flips must not fill the table: from here on it takes up its newest version of a type again. */
  versionsPerTagMax: 100,
  /** New and redefined tags of one machine in one commit: others commit in between. */
  tagWritesPerCommit: 500,
  /** Shortest time between two notices of one kind to a machine's keys that values are refused. */
  refusalNoticeMs: 24 * 3_600_000,
  /** Samples in one commit of an entry that goes in parts. */
  samplesPerPart: 500,
} as const
