import { expect, test } from 'vitest'
import { groupCommitLimits } from './commit-batch.ts'
import { GatherTime } from './gather-time.ts'

const { gatherMs, longCommitMs, busyGatherMsMax } = groupCommitLimits

/** A gather time beside an event loop that is busy for a part of each commit's 10 ms. */
function startGathering(): (part: number, tookMs?: number) => number {
  const used = { active: 0, idle: 0, utilization: 0 }
  const gather = new GatherTime(() => ({ ...used }))
  return (part, tookMs = 1) => {
    used.active += 10 * part
    used.idle += 10 * (1 - part)
    return gather.next(tookMs)
  }
}

test('a batch gathers for a moment only while the event loop has time left', () => {
  const next = startGathering()
  expect(next(0.5)).toBe(gatherMs)
  expect(next(0.9)).toBe(gatherMs)
  expect(next(0.5, longCommitMs)).toBe(0)
})

test('batches grow while the event loop is busy, up to a bound, and shrink when it has time again', () => {
  const next = startGathering()
  const grown = Array.from({ length: 20 }, () => next(1))
  expect(grown.slice(0, 3)).toEqual([gatherMs, 2 * gatherMs, 3 * gatherMs])
  expect(grown.at(-1)).toBe(busyGatherMsMax)
  expect(next(0.9)).toBe(busyGatherMsMax)
  const shrunk = Array.from({ length: 6 }, () => next(0.5))
  expect(shrunk.at(-1)).toBe(gatherMs)
})
