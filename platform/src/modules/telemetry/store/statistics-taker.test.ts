import { describe, expect, it, test } from 'vitest'
import { createRandom } from '../../../../test-support/histories/random.ts'
import { qualityNumber } from '../tag-type.ts'
import type { ChunkSamples } from './chunk.ts'
import type { TimeSpan } from './sample-rows.ts'
import { heldInGapMsMax, type StatisticsOptions, StatisticsTaker } from './statistics-taker.ts'

const secondMs = 1_000

interface Sample {
  readonly at: number
  /** Null: a bad sample. */
  readonly value: number | null
}

function samplesOf(samples: readonly Sample[]): ChunkSamples {
  const { good, bad } = qualityNumber
  return {
    times: samples.map(({ at }) => at),
    qualities: samples.map(({ value }) => (value === null ? bad : good)),
    lates: samples.map(() => 0),
    filled: samples.map(({ value }) => (value === null ? 0 : 1)),
    column: { type: 'float64', values: samples.flatMap(({ value }) => value ?? []) },
    stamps: new Map(),
  }
}

function take(
  samples: readonly Sample[],
  options: Partial<StatisticsOptions> & { readonly span: TimeSpan; readonly isState?: boolean },
) {
  const { isState = false, gaps = [], before, span } = options
  const taker = new StatisticsTaker({ id: 1, type: 'float64', isState }, { span, gaps, before })
  const taken = samplesOf(samples)
  // In two blocks, as samples come from chunks.
  const half = samples.length >> 1
  taker.take(taken, 0, half)
  taker.take(taken, half, samples.length)
  const found = taker.finish()
  if (!found.timed) throw new Error('samples tell times')
  return { ...found, ...found.timed }
}

const point = (at: number, value: number) => ({ tagId: 1, at, value, low: value, high: value, quality: 192 })

describe('how long a value holds', () => {
  it('is until the next sample, a bad one as well, and until the end of the span', () => {
    const found = take(
      [
        { at: 10, value: 1 },
        { at: 30, value: null },
        { at: 40, value: 7 },
      ],
      { span: { from: 0, to: 50 } },
    )
    expect(found).toMatchObject({ knownMs: 30, badMs: 10, gapMs: 0, timeMean: (1 * 20 + 7 * 10) / 30 })
  })

  it('begins with the span where the sample is older', () => {
    const found = take([{ at: 15, value: 4 }], { span: { from: 10, to: 20 }, before: point(2, 2) })
    expect(found).toMatchObject({ knownMs: 10, timeMean: 3, count: 1 })
  })

  it('ends where the machine goes away, and does not go on when it is back', () => {
    const found = take(
      [
        { at: 0, value: 5 },
        { at: 80, value: 1 },
      ],
      { span: { from: 0, to: 100 }, gaps: [{ from: 20, to: 50 }] },
    )
    expect(found).toMatchObject({ knownMs: 40, gapMs: 30, timeMean: 3 })
  })

  it('is known of samples that were sent after the gap', () => {
    const found = take(
      [
        { at: 0, value: 5 },
        { at: 30, value: 1 },
        { at: 40, value: 2 },
      ],
      { span: { from: 0, to: 100 }, gaps: [{ from: 20, to: 50 }] },
    )
    expect(found).toMatchObject({ knownMs: 20 + 10 + 60, gapMs: 10 })
  })

  it('is a minute within a gap, where it is unknown whether the machine was running', () => {
    const day = 86_400_000
    const found = take([{ at: 30, value: 1 }], { span: { from: 0, to: day }, gaps: [{ from: 20, to: day }] })
    expect(found).toMatchObject({ knownMs: heldInGapMsMax, gapMs: day - 20 - heldInGapMsMax })
  })

  it('equals a check of each second by itself, for random samples and gaps', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed)
      const span = { from: random.below(200) * secondMs, to: (200 + random.below(400)) * secondMs }
      const times = Array.from({ length: random.below(40) }, () => random.below(600) * secondMs)
      const samples = [...new Set(times)]
        .sort((a, b) => a - b)
        .map((at) => ({ at, value: random.chance(0.2) ? null : random.below(4) }))
      const gaps: TimeSpan[] = []
      for (let at = random.below(100); at < 600; at += 1 + random.below(150)) {
        const to = at + 1 + random.below(120)
        gaps.push({ from: at * secondMs, to: to * secondMs })
        at = to
      }
      const inside = samples.filter(({ at }) => at >= span.from && at < span.to)
      const last = samples.findLast(({ at }) => at < span.from)
      const before = last && { ...point(last.at, last.value ?? 0), quality: last.value === null ? 0 : 192 }
      const isState = random.chance(0.5)
      const found = take(inside, { span, gaps, before, isState })
      expect(found, `seed ${seed}`).toMatchObject(lookAtEachSecond(samples, gaps, span, isState))
    }
  })
})

/** The value at each second: the plainest form of the rule. */
function lookAtEachSecond(
  samples: readonly Sample[],
  gaps: readonly TimeSpan[],
  span: TimeSpan,
  isState: boolean,
) {
  const sums = { knownMs: 0, badMs: 0, gapMs: 0 }
  let weighted = 0
  const states = new Map<number, { ms: number; times: number }>()
  let before: number | undefined
  for (let at = span.from; at < span.to; at += secondMs) {
    const sample = samples.findLast((one) => one.at <= at)
    const own = sample && gaps.find((gap) => gap.from < sample.at && gap.to > sample.at)
    const isOver =
      !sample ||
      gaps.some((gap) => gap.from >= sample.at && gap.from <= at) ||
      (own && sample.at + heldInGapMsMax < own.to && at >= sample.at + heldInGapMsMax)
    const value = isOver ? undefined : sample.value
    if (value === null) sums.badMs += secondMs
    else if (value !== undefined) {
      sums.knownMs += secondMs
      weighted += value * secondMs
      const state = states.get(value) ?? { ms: 0, times: 0 }
      states.set(value, { ms: state.ms + secondMs, times: state.times + (before === value ? 0 : 1) })
    } else if (gaps.some((gap) => gap.from <= at && gap.to > at)) sums.gapMs += secondMs
    before = value ?? undefined
  }
  if (!isState) return sums.knownMs > 0 ? { ...sums, timeMean: weighted / sums.knownMs } : sums
  const told = Array.from(states, ([value, times]) => expect.objectContaining({ value, ...times }))
  return { ...sums, states: told.length === 0 ? [] : expect.arrayContaining(told) }
}

test('a rise is left out without a value', () => {
  const options = { span: { from: 10, to: 100 }, before: point(1, 10) }
  expect(take([], options).delta).toBeUndefined()
  expect(take([{ at: 10, value: 12 }], options).delta).toEqual({ value: 0, resets: 0 })
})
