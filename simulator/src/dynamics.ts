import { gaussian, type Random } from './random.ts'

/** Limits `value` to `min` and `max`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** First-order lag: after `tauMs` the value has gone 63 % of the way to `target`. */
export function approach(value: number, target: number, dtMs: number, tauMs: number): number {
  return target + (value - target) * Math.exp(-dtMs / tauMs)
}

/** Moves at most `ratePerS` units a second towards `target`, as a drive's ramp does. */
export function ramp(value: number, target: number, dtMs: number, ratePerS: number): number {
  const reach = (ratePerS * dtMs) / 1000
  return clamp(target, value - reach, value + reach)
}

/**
 * A slow wander around `mean` (Ornstein-Uhlenbeck) with standard deviation `sigma`; held within 3 sigma so
 * that no seed leaves what the tag declares, and on its way there when `mean` itself has moved. `tauMs` is
 * its memory.
 */
export function wander(
  value: number,
  mean: number,
  sigma: number,
  dtMs: number,
  tauMs: number,
  random: Random,
): number {
  const keep = Math.exp(-dtMs / tauMs)
  const next = mean + (value - mean) * keep + sigma * Math.sqrt(1 - keep * keep) * gaussian(random)
  const reach = Math.max(3 * sigma, Math.abs(value - mean) * keep)
  return clamp(next, mean - reach, mean + reach)
}

/** White measuring noise of standard deviation `sigma`. */
export function noise(random: Random, sigma: number): number {
  return gaussian(random) * sigma
}

/** Two-position control: on below `low`, off above `high`, unchanged between. */
export function hysteresis(on: boolean, value: number, low: number, high: number): boolean {
  if (value < low) return true
  if (value > high) return false
  return on
}

/** Latched limit: rises above `high`, falls only below `low`; the usual shape of a high alarm. */
export function above(was: boolean, value: number, high: number, low: number): boolean {
  return was ? value > low : value > high
}

/** Latched limit for a low alarm: rises below `low`, falls only above `high`. */
export function below(was: boolean, value: number, low: number, high: number): boolean {
  return was ? value < high : value < low
}

/** Whole events that a rate per hour yields in `dtMs`, the fraction decided by `random`. */
export function eventsOf(perHour: number, dtMs: number, random: Random): number {
  const expected = (perHour * dtMs) / 3_600_000
  const whole = Math.floor(expected)
  return whole + (random() < expected - whole ? 1 : 0)
}
