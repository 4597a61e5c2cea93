/** Round values of an axis that hold all values between them. */
export interface Ticks {
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

/** About so many steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(values: readonly number[], wanted: number): Ticks {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  if (low > high) return { min: 0, max: 1, ticks: [0, 1] }
  if (low === high) {
    // A single value is centred.
    const half = Math.abs(low) / 10 || 1
    low -= half
    high += half
  }
  const rough = (high - low) / Math.max(wanted, 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const ticks = Array.from({ length: last - first + 1 }, (_, place) =>
    Number(((first + place) * step).toFixed(Math.min(digits, 20))),
  )
  return { min: first * step, max: last * step, ticks }
}
