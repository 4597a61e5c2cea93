import { expect, test } from 'vitest'
import { LostSpans, mergeGapMs, spansMax } from './lost-spans.ts'

test('neighbours become one gap, in any order; separate gaps stay separate', () => {
  const spans = new LostSpans()
  spans.add({ from: 1_000, to: 2_000, samples: 2 })
  spans.add({ from: 500_000, to: 501_000, samples: 5 })
  spans.add({ from: 2_000 + 2 * mergeGapMs, to: 3_000 + 2 * mergeGapMs, samples: 3 })
  expect(spans.list()).toHaveLength(3)
  spans.add({ from: 2_000 + mergeGapMs, to: 2_000 + mergeGapMs, samples: 1 })
  expect(spans.list()).toEqual([
    { from: 1_000, to: 3_000 + 2 * mergeGapMs, samples: 6 },
    { from: 500_000, to: 501_000, samples: 5 },
  ])
})

test('a reported gap stays unchanged until it is acknowledged', () => {
  const spans = new LostSpans()
  spans.add({ from: 1_000, to: 2_000, samples: 2 })
  const told = spans.tellNext()
  spans.add({ from: 2_000, to: 3_000, samples: 4 })
  expect(spans.tellNext()).toBe(told)
  expect(told).toMatchObject({ from: 1_000, to: 2_000, samples: 2 })
  if (told) spans.forget(told)
  expect(spans.list()).toEqual([{ from: 2_000, to: 3_000, samples: 4 }])
})

test('there are never more gaps than the limit, and no sample of them is forgotten', () => {
  const spans = new LostSpans()
  for (let index = 0; index < 3 * spansMax; index++) {
    const from = index * 10 * mergeGapMs
    spans.add({ from, to: from, samples: 1 })
  }
  expect(spans.list()).toHaveLength(spansMax)
  expect(spans.list().reduce((sum, { samples }) => sum + samples, 0)).toBe(3 * spansMax)
})
