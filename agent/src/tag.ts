import type { QualityNumber } from '@busbar/link'
import { SparkplugDatatype } from '@busbar/link'

/** How a tag's value is stored in the controller. */
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
  /** For every language without a name of its own. */
  any?: string
  cn?: string
  en?: string
}

/** What every tag has, whatever driver reads it. */
export interface Tag {
  group: string
  name: string
  type: TagType
  displayName: DisplayName
  unit?: string
  /** Decimal places to show. */
  scale?: number
  readOnly: boolean
  min?: number
  max?: number
  keyTag: boolean
  /** Published value = raw value × factor + offset. */
  factor: number
  offset: number
  /** A number is sent again when it moved by more than this; 0 sends every change. */
  deadband: number
  heartbeatMs: number
}

/** What a driver says of one tag after a poll. `index` counts the connection's tags from 0. */
export interface Reading {
  index: number
  /** Null when there is no value; then the quality is bad. */
  value: TagValue | null
  quality: QualityNumber
}

/** A reading worth sending. `tag` counts all tags of the agent from 0. */
export interface Sample {
  tag: number
  /** Epoch ms. */
  at: number
  value: TagValue | null
  quality: QualityNumber
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
