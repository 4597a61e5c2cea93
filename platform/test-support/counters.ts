import type { Random } from './histories/random.ts'

/** A counter's sample; without a value it was bad or stale. */
export interface Reading {
  readonly at: number
  readonly value: number | bigint | null
}

interface Known {
  readonly at: number
  readonly value: number | bigint
}

/** A part of a rise. */
export interface Risen {
  readonly at: number
  readonly amount: number | bigint
  readonly isReset: boolean
}

const dayMs = 86_400_000
const dayOf = (at: number) => Math.floor(at / dayMs)
const tenthOf = (value: number | bigint) => Math.abs(Number(value)) / 10
const isDown = (from: number | bigint, to: number | bigint) =>
  to < from && Number(from) - Number(to) >= tenthOf(from)
const isUp = (from: number | bigint, to: number | bigint) => Number(to) - Number(from) > tenthOf(from)

/**
 * The rise of a counter in a stretch of time in the plainest form of the rule (rules/telemetry.md: rise of a counter), of
 * all its samples in the order of time.
 */
export function modelRise(all: readonly Reading[], from: number, to: number): Risen[] {
  const isKnown = (sample: Reading): sample is Known => sample.value !== null
  const begin = beginOf(all, from)
  const behind = all.filter(({ at, value }) => at >= to && value !== null).slice(0, 4)
  const known = all
    .filter(({ at }) => at >= begin && at < to)
    .concat(behind)
    .filter(isKnown)
  return partsOf(withoutGlitches(known)).filter(({ at }) => at >= from && at < to)
}

/** The time from which samples tell the counter at an instant: a day before its day; where these are few, earlier days. */
function beginOf(all: readonly Reading[], at: number): number {
  let begin = (dayOf(at) - 1) * dayMs
  const count = () => all.filter((one) => one.value !== null && one.at >= begin && one.at < at).length
  for (let round = 0; round < 4 && count() < 4; round++) {
    const before = all.findLast((one) => one.at < begin)
    if (!before) break
    begin = dayOf(before.at) * dayMs
  }
  return begin
}

function withoutGlitches(known: readonly Known[]): Known[] {
  const kept: Known[] = []
  for (let place = 0; place < known.length; ) {
    const before = kept.at(-1)
    const length = before
      ? [1, 2].find((some) => isGlitch(before, known.slice(place, place + some + 1), some))
      : undefined
    if (length) place += length
    else kept.push(known[place++] as Known)
  }
  return kept
}

function isGlitch(before: Known, values: readonly Known[], length: number): boolean {
  const after = values[length]
  if (!after || isDown(before.value, after.value)) return false
  return values
    .slice(0, length)
    .every(
      ({ value }) =>
        isDown(before.value, value) ||
        (isUp(before.value, value) && isDown(value, after.value) && !isUp(before.value, after.value)),
    )
}

function partsOf(kept: readonly Known[]): Risen[] {
  /** The highest value of each day since the last reset. */
  let highs = new Map<number, number | bigint>()
  return kept.flatMap(({ at, value }, place): Risen[] => {
    const before = kept[place - 1]
    const day = dayOf(at)
    if (before && isDown(before.value, value)) {
      highs = new Map([[day, value]])
      return [{ at, amount: isUp(0, value) ? value : 0, isReset: true }]
    }
    const known = [highs.get(day - 1), highs.get(day), before?.value].filter((one) => one !== undefined)
    highs.set(day, highestOf([highs.get(day) ?? value, value]))
    if (!before) return []
    const high = highestOf(known)
    const amount = typeof value === 'bigint' ? value - BigInt(high) : Number(value) - Number(high)
    return amount > 0 ? [{ at, amount, isReset: false }] : []
  })
}

const highestOf = (values: readonly (number | bigint)[]): number | bigint =>
  values.toSorted((one, other) => (one < other ? 1 : -1))[0] ?? 0

/** The sum of parts, exact for whole numbers. */
export const sumOfRise = (parts: readonly Risen[], isInteger: boolean): number | bigint =>
  isInteger
    ? parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    : parts.reduce((sum, { amount }) => sum + Number(amount), 0)

/** A counter as meters have it: steps, stands, resets, dips by rounding, glitches of one or two values. */
export function drawCounter(
  random: Random,
  start: number,
  count: number,
): { readonly at: number; readonly value: number }[] {
  const samples: { at: number; value: number }[] = []
  let value = random.chance(0.3) ? random.below(20) : random.below(1_000_000) / 10
  let at = start + random.below(48) * 3_600_000
  const step = random.pick([0.1, 1, 7, 1_000])
  while (samples.length < count) {
    at += 1 + random.below(random.pick([2_000, 60_000, 3_600_000, 5 * 3_600_000]))
    if (random.chance(0.4)) value += random.below(10) * step
    if (random.chance(0.02)) value = random.below(3) * step
    const shown = Number(value.toFixed(1))
    if (random.chance(0.02))
      for (let each = 0; each <= random.below(2); each++)
        samples.push({ at: at++, value: random.pick([0, 65_535]) })
    samples.push({
      at,
      value: random.chance(0.1) ? Number((shown * (1 - random.below(5) / 100)).toFixed(1)) : shown,
    })
  }
  return samples
}
