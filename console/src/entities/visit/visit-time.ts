import { getText, joinUnit, narrowSpace } from '../../shared/i18n/index.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** Below this the seconds count. */
const secondsBelowMs = 10 * minuteMs

/** A remaining time: "7 h 05 min", "42 min", and "4:09" towards the end. Never negative. */
export function formatLeft(leftMs: number): string {
  const left = Math.max(0, leftMs)
  if (left >= secondsBelowMs) return formatSpan(left)
  const seconds = Math.ceil(left / secondMs)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A duration: "7 h 05 min", "42 min", "9 s". */
export function formatSpan(spanMs: number): string {
  const { h, min, s } = getText().visits.units
  if (spanMs < minuteMs) return joinUnit(String(Math.max(0, Math.floor(spanMs / secondMs))), s)
  const minutes = Math.floor(spanMs / minuteMs)
  if (spanMs < hourMs) return joinUnit(String(minutes), min)
  const rest = String(minutes % 60).padStart(2, '0')
  return `${joinUnit(String(Math.floor(minutes / 60)), h)}${narrowSpace}${joinUnit(rest, min)}`
}
