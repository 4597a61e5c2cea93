import { Quality } from '@busbar/link'
import { expect, test } from 'vitest'
import type { Tag, TagValue } from '../tag.ts'
import { buildTag } from '../testing/builders.ts'
import { Sampler } from './sampler.ts'

/** Offers one value a second and gives the seconds at which something was sent. */
function sentAt(fields: Partial<Tag>, values: (TagValue | null)[], pollIntervalMs = 1_000): number[] {
  const sampler = new Sampler([buildTag(fields)], 0, pollIntervalMs)
  return values.flatMap((value, second) => {
    const quality = value === null ? Quality.bad : Quality.good
    const samples = sampler.offer(
      [{ index: 0, value, quality }],
      5_000_000 + second * 1_000,
      second * 1_000,
    ).due
    return samples.length > 0 ? [second] : []
  })
}

test('the first reading and every change go out, a standing value does not', () => {
  expect(sentAt({}, [1, 1, 2, 2, 2, 1])).toEqual([0, 2, 5])
  expect(sentAt({ type: 'string' }, ['a', 'a', 'b'])).toEqual([0, 2])
  expect(sentAt({ type: 'bool' }, [true, false, false])).toEqual([0, 1])
})

test('the deadband counts from the value sent, so a slow drift is not missed', () => {
  expect(sentAt({ deadband: 1 }, [10, 10.5, 11, 11.1, 11.2, 12.05, 12.2])).toEqual([0, 3, 6])
  expect(sentAt({ deadband: 5, type: 'int64' }, [2n ** 60n, 2n ** 60n + 5n, 2n ** 60n + 6n])).toEqual([0, 2])
})

test('a heartbeat of ten seconds is kept, not about kept', () => {
  expect(sentAt({ heartbeatMs: 10_000, deadband: 100 }, Array(25).fill(1))).toEqual([0, 10, 20])
  const late = new Sampler([buildTag({ heartbeatMs: 10_000 })], 0, 1_000)
  const offer = (atMs: number) =>
    late.offer([{ index: 0, value: 1, quality: Quality.good }], 0, atMs).due.length
  expect([offer(0), offer(9_000), offer(9_002)]).toEqual([1, 0, 1])
})

test('a poll slower than the heartbeat sends at every poll', () => {
  const sampler = new Sampler([buildTag({ heartbeatMs: 1_000 })], 0, 60_000)
  const offer = (atMs: number) =>
    sampler.offer([{ index: 0, value: 1, quality: Quality.good }], 0, atMs).due.length
  expect([offer(0), offer(60_000), offer(120_000)]).toEqual([1, 1, 1])
})

test('every change of quality goes out, also with the same or no value', () => {
  expect(sentAt({ deadband: 100 }, [1, null, null, 1])).toEqual([0, 1, 3])
})

test('samples carry the wall clock and the number among all tags; current is newer than sent', () => {
  const sampler = new Sampler([buildTag(), buildTag({ deadband: 10 })], 40, 1_000)
  const first = [
    { index: 0, value: 1, quality: Quality.good },
    { index: 1, value: 1, quality: Quality.good },
  ]
  expect(sampler.offer(first, 777, 0).due).toEqual([
    { tag: 40, at: 777, value: 1, quality: Quality.good },
    { tag: 41, at: 777, value: 1, quality: Quality.good },
  ])
  expect(sampler.offer([{ index: 1, value: 2, quality: Quality.good }], 888, 1_000).due).toEqual([])
  expect(sampler.current()).toEqual([
    { tag: 40, at: 777, value: 1, quality: Quality.good },
    { tag: 41, at: 888, value: 2, quality: Quality.good },
  ])
})

test('heartbeats do not depend on jumps of the wall clock', () => {
  const sampler = new Sampler([buildTag({ heartbeatMs: 10_000 })], 0, 1_000)
  const offer = (at: number, atMs: number) =>
    sampler.offer([{ index: 0, value: 1, quality: Quality.good }], at, atMs).due.length
  expect([offer(0, 0), offer(1_700_000_000_000, 1_000), offer(5, 2_000)]).toEqual([1, 0, 0])
})

test('a time that the controller tells is the time of the sample', () => {
  const sampler = new Sampler([buildTag()], 7, 1_000)
  const readings = [
    { index: 0, value: 1, quality: Quality.good, at: 4_999_700 },
    { index: 0, value: 2, quality: Quality.uncertain },
  ]
  expect(sampler.offer(readings, 5_000_000, 0).due).toEqual([
    { tag: 7, at: 4_999_700, isOwnTime: true, value: 1, quality: 192 },
    { tag: 7, at: 5_000_000, value: 2, quality: 64 },
  ])
})

test('a number outside of min and max is bad where the tag says so, in polls and after writes', () => {
  const offered = (fields: Partial<Tag>, value: TagValue) => {
    const sampler = new Sampler([buildTag({ min: 0, max: 300, ...fields })], 0, 1_000)
    const reading = { index: 0, value, quality: Quality.good }
    return [sampler.offer([reading], 0, 0).due[0], sampler.take(reading, 0, 0)]
  }
  const bad = { value: null, quality: Quality.bad }
  expect(offered({ outside: 'bad' }, -32_768)).toMatchObject([bad, bad])
  expect(offered({ outside: 'bad', type: 'int64' }, 301n)).toMatchObject([bad, bad])
  expect(offered({ outside: 'bad' }, 300)).toMatchObject([{ value: 300 }, { value: 300 }])
  expect(offered({}, -32_768)).toMatchObject([{ value: -32_768 }, { value: -32_768 }])
})
