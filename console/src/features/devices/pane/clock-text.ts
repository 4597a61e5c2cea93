import { formatNumber, type Text } from '../../../shared/i18n/index.ts'

/** Clocks nearer than this are the same: the way to the platform takes time too. */
const sameMs = 1_000
/** The largest unit with at least this much: 90 s are clearer than 1.5 min. */
const unitsFrom = [
  ['d', 86_400_000, 48 * 3_600_000],
  ['h', 3_600_000, 2 * 3_600_000],
  ['min', 60_000, 2 * 60_000],
  ['s', 1_000, 0],
] as const

/** The difference of a machine's clock from the platform's, in words; positive if the machine's clock is ahead. */
export function describeClock(offsetMs: number, { facts, history }: Text): string {
  const size = Math.abs(offsetMs)
  if (size < sameMs) return facts.clockSame
  const [unit, unitMs] = unitsFrom.find(([, , from]) => size >= from) ?? unitsFrom[3]
  const length = history.duration[unit](formatNumber(Math.round(size / unitMs)))
  return offsetMs > 0 ? facts.clockAhead(length) : facts.clockBehind(length)
}
