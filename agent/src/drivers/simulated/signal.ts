import { decimalOfFloat32 } from '@busbar/link'
import type { TagType, TagValue } from '../../tag.ts'
import { integerRanges } from '../../tag.ts'

/** A simulated signal. Periods in ms, everything else in the tag's own unit. */
export type Signal =
  | { kind: 'sine'; min: number; max: number; periodMs: number }
  | { kind: 'randomWalk'; min: number; max: number; start: number; step: number }
  | { kind: 'square'; low: number; high: number; periodMs: number }
  | { kind: 'counter'; start: number; step: number; periodMs: number }

export const signalKinds = ['sine', 'randomWalk', 'square', 'counter'] as const

/**
 * The signal's number `elapsedMs` after the start. `previous` is the last one (only the random walk remembers),
 * `random` gives 0 to 1.
 */
export function signalNumber(
  signal: Signal,
  elapsedMs: number,
  previous: number | null,
  random: () => number,
): number {
  switch (signal.kind) {
    case 'sine': {
      const middle = (signal.min + signal.max) / 2
      return middle + ((signal.max - signal.min) / 2) * Math.sin((2 * Math.PI * elapsedMs) / signal.periodMs)
    }
    case 'randomWalk': {
      if (previous === null) return signal.start
      const next = previous + (random() * 2 - 1) * signal.step
      return Math.min(signal.max, Math.max(signal.min, next))
    }
    case 'square':
      return elapsedMs % signal.periodMs < signal.periodMs / 2 ? signal.high : signal.low
    case 'counter':
      return signal.start + signal.step * Math.floor(elapsedMs / signal.periodMs)
  }
}

/** A number as a tag's type holds it: rounded, kept within its range; for bool everything but 0 is true. */
export function numberAsType(number: number, type: TagType): TagValue {
  if (type === 'bool') return number !== 0
  if (type === 'string') return String(number)
  if (type === 'float32') return decimalOfFloat32(Math.fround(number))
  const range = integerRanges[type]
  if (range === undefined) return number
  const whole = BigInt(Math.round(number))
  const kept = whole < range[0] ? range[0] : whole > range[1] ? range[1] : whole
  return type === 'int64' || type === 'uint64' ? kept : Number(kept)
}
