import type { telemetry as contract } from '@busbar/contract'
import { isSameText } from '@busbar/link'

/** A value as the platform keeps it; int64 is a bigint. */
export type WrittenValue = boolean | number | bigint | string

/** The fields that decide when two values of a tag are equal. */
export interface WrittenTag {
  readonly type: contract.TagType
  /** Decimal places people see; null: as they come. */
  readonly scale: number | null
}

/** A machine that keeps a float32 gives every number back as the nearest of those: half of 2^-23, and the other half for its own arithmetic. */
const float32Step = 2 ** -23
/** The rounding error of the comparison itself, as in 0.1 + 0.2. */
const roundingNoise = 1e-9

/**
 * Whether a machine kept the written value, within one unit of the tag's type: bool, int64 and string exactly, except
 * for blanks at the end of a text and the case of a GUID; float64 within half a step of its decimal places, and never closer
 * than a float32 can come (rules/visits.md: read-back).
 */
export function isWritten(tag: WrittenTag, wished: WrittenValue, kept: WrittenValue | null): boolean {
  if (kept === null) return false
  if (typeof wished === 'string' && typeof kept === 'string') return isSameText(wished, kept)
  if (tag.type !== 'float64' || typeof wished !== 'number' || typeof kept !== 'number') return kept === wished
  const halfStep = tag.scale === null ? 0 : (0.5 + roundingNoise) * 10 ** -tag.scale
  return Math.abs(kept - wished) <= Math.max(halfStep, Math.abs(wished) * float32Step)
}
