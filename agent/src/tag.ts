import type { AlarmLevel, QualityNumber } from '@busbar/link'
import { Quality, SparkplugDatatype } from '@busbar/link'

/** The types of a tag's value in the controller. */
export const tagTypes = [
  'bool',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'string',
] as const
export type TagType = (typeof tagTypes)[number]

/** 64-bit integers are bigint, other numbers number. */
export type TagValue = boolean | number | bigint | string

export interface DisplayName {
  /** For every language without a separate name. */
  any?: string
  cn?: string
  en?: string
}

/** The fields of every tag, whatever driver reads it. */
export interface Tag {
  group: string
  name: string
  type: TagType
  displayName: DisplayName
  /** The group's display name; the group itself if absent. */
  groupName?: DisplayName | undefined
  unit?: string
  /** Decimal places to show. */
  scale?: number
  readOnly: boolean
  min?: number
  max?: number
  /** Makes a published number below `min` or above `max` a bad value. */
  outside?: 'bad'
  /** The meaning of an enumeration's numbers, by number. */
  words?: Record<string, string>
  keyTag: boolean
  /** Published value = raw value × factor + offset. */
  factor: number
  offset: number
  /** A number is sent again when it moved by more than this; 0 sends every change. */
  deadband: number
  heartbeatMs: number
  /** For a bool: true is trouble, told as an alarm beside the tag. */
  alarm?: TagAlarm
}

export interface TagAlarm {
  id: string
  level: AlarmLevel
  text: DisplayName
}

/** The reading of one tag after a poll. `index` counts the connection's tags from 0. */
export interface Reading {
  index: number
  /** Null if there is no value; the quality is bad then. */
  value: TagValue | null
  quality: QualityNumber
  /**
   * Epoch ms at which the controller had this value, if it reports it. Left out by a driver that found the
   * controller's clock wrong; then the agent's clock is used.
   */
  at?: number
}

/** A reading worth sending. `tag` counts all tags of the agent from 0. */
export interface Sample {
  tag: number
  /** Epoch ms. */
  at: number
  /** `at` is the controller's own time: it stays unchanged if the agent's clock turns out to be wrong. */
  isOwnTime?: true
  value: TagValue | null
  quality: QualityNumber
  /** The tag's alarm was raised or cleared with this value. */
  alarmMoved?: true
  /** The value was read back after this write. */
  written?: Written
}

/** A write that the controller got, whether it succeeded or not. */
export interface Written {
  /** The visit of a write on the agent's own page, empty at the machine itself; null for the cloud. */
  visit: string | null
  from: TagValue | null
  to: TagValue
  /** Why the controller refused; empty if it did not. */
  error: string
}

const datatypes: Record<TagType, number> = {
  bool: SparkplugDatatype.boolean,
  int16: SparkplugDatatype.int16,
  uint16: SparkplugDatatype.uint16,
  int32: SparkplugDatatype.int32,
  uint32: SparkplugDatatype.uint32,
  int64: SparkplugDatatype.int64,
  uint64: SparkplugDatatype.uint64,
  float32: SparkplugDatatype.float,
  float64: SparkplugDatatype.double,
  string: SparkplugDatatype.string,
}

export function isScaled(tag: Pick<Tag, 'factor' | 'offset'>): boolean {
  return tag.factor !== 1 || tag.offset !== 0
}

/** The Sparkplug data type a tag is published as: a scaled number is a Double whatever it was. */
export function publishedDatatype(tag: Pick<Tag, 'type' | 'factor' | 'offset'>): number {
  return isScaled(tag) ? SparkplugDatatype.double : datatypes[tag.type]
}

// 0.1 × 3 is 0.30000000000000004: digits beyond these are noise of the multiplication, not of the machine.
const significantDigits = 15

/** Applies factor and offset to a raw number; other values pass as they are. */
export function scaleValue(tag: Pick<Tag, 'factor' | 'offset'>, value: TagValue): TagValue {
  if (!isScaled(tag) || typeof value === 'boolean' || typeof value === 'string') return value
  return Number((Number(value) * tag.factor + tag.offset).toPrecision(significantDigits))
}

/** The reading, or a bad one for a number outside of the range of a tag that says so. */
export function withinRange(tag: Pick<Tag, 'min' | 'max' | 'outside'>, reading: Reading): Reading {
  const { value } = reading
  if (tag.outside === undefined || value === null || typeof value === 'boolean' || typeof value === 'string')
    return reading
  const isOutside = value < (tag.min ?? -Infinity) || value > (tag.max ?? Infinity)
  return isOutside ? { ...reading, value: null, quality: Quality.bad } : reading
}

/** The raw number of a published one, not yet rounded to the controller's type; other values pass as they are. */
export function unscaleValue(tag: Pick<Tag, 'factor' | 'offset'>, value: TagValue): TagValue {
  if (!isScaled(tag) || typeof value === 'boolean' || typeof value === 'string') return value
  return Number(((Number(value) - tag.offset) / tag.factor).toPrecision(significantDigits))
}

export const integerRanges: Partial<Record<TagType, readonly [bigint, bigint]>> = {
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
}

/** A number in the kind its tag is published as: bigint for unscaled 64-bit integers; other values pass as they are. */
export function publishedNumber(tag: Pick<Tag, 'type' | 'factor' | 'offset'>, value: TagValue): TagValue {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  const isWide = (tag.type === 'int64' || tag.type === 'uint64') && !isScaled(tag)
  return isWide ? BigInt(value) : Number(value)
}
