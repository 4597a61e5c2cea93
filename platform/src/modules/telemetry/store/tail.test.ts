import { expect, test } from 'vitest'
import type { SampleValue } from './log-row.ts'
import { Tail } from './tail.ts'

const startedAt = Date.UTC(2026, 0, 1)
const forever = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const newTail = () => new Tail({ nodeId: 'main', incarnation: 'one' })
const typeOf = (value: SampleValue) =>
  typeof value === 'bigint'
    ? 'int64'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'string'
        ? 'string'
        : 'float64'

/** Fills a row of the log with samples of a tag: times after the start, and values. */
function fill(
  tail: Tail,
  tagId: number,
  samples: readonly (readonly [number, SampleValue])[],
  more: { late?: boolean; stamp?: number; quality?: number } = {},
): void {
  const ticket = tail.begin()
  tail.fill(ticket, (sink) => {
    for (const [ms, value] of samples) {
      const at = startedAt + ms
      const { late = false, stamp = at, quality = 192 } = more
      sink.add(tagId, typeOf(value), at, at + 9, quality, late, value, stamp)
    }
  })
  tail.end(ticket)
}

async function read(tail: Tail, tagId: number, from: number = forever[0], to: number = forever[1]) {
  const found = (await tail.read([tagId], from, to)).get(tagId)
  return found && Array.from(found.times, (at) => at - startedAt)
}

async function values(tail: Tail, tagId: number): Promise<unknown[]> {
  const found = (await tail.read([tagId], ...forever)).get(tagId)
  return Array.from((found?.column.values ?? []) as ArrayLike<unknown>)
}

test('values of every type come back exactly, int64 and texts too', async () => {
  const tail = newTail()
  fill(tail, 1, [
    [0, 2n ** 63n - 1n],
    [1, -(2n ** 63n)],
    [2, null],
  ])
  fill(tail, 2, [
    [0, '甜点 🍰'],
    [1, ''],
  ])
  fill(tail, 3, [
    [0, true],
    [1, false],
  ])
  fill(tail, 4, [[0, -0]], { late: true, stamp: startedAt - 5, quality: 64 })
  expect(await values(tail, 1)).toEqual([2n ** 63n - 1n, -(2n ** 63n)])
  expect(await values(tail, 2)).toEqual(['甜点 🍰', ''])
  expect(await values(tail, 3)).toEqual([1, 0])
  const found = (await tail.read([4, 5], ...forever)).get(4)
  expect(found).toMatchObject({ stamps: new Map([[0, startedAt - 5]]) })
  expect([found?.lates[0], found?.qualities[0], Object.is(found?.column.values[0], -0)]).toEqual([
    1,
    64,
    true,
  ])
})

test('samples are read in their time, of two with one time the one that came first', async () => {
  const tail = newTail()
  fill(tail, 1, [
    [30, 1],
    [10, 2],
  ])
  tail.freeze()
  fill(tail, 1, [
    [20, 3],
    [10, 4],
    [30, 5],
  ])
  expect(await read(tail, 1)).toEqual([10, 20, 30])
  expect(await values(tail, 1)).toEqual([2, 3, 1])
  expect(await read(tail, 1, startedAt + 10, startedAt + 30)).toEqual([10, 20])
  expect(await read(tail, 1, startedAt + 31)).toBeUndefined()
})

test('chains go on over the ends of segments', async () => {
  const tail = newTail()
  const count = 150_000
  const ticket = tail.begin()
  tail.fill(ticket, (sink) => {
    for (let place = 0; place < count; place++)
      sink.add(1 + (place % 3), 'float64', startedAt + place, startedAt, 192, false, place, startedAt + place)
  })
  expect(await values(tail, 2)).toEqual(Array.from({ length: count / 3 }, (_, place) => 1 + place * 3))
  expect(tail.count).toBe(count)
})

test('parts of a generation are by tag and hour', () => {
  const tail = newTail()
  const hour = 3_600_000
  fill(tail, 9, [[0, 1]])
  fill(tail, 2, [
    [hour + 1, 1],
    [hour - 1, 2],
    [3 * hour, 3],
  ])
  tail.freeze()
  const parts = [...(tail.oldestFrozen?.samples.parts() ?? [])]
  const first = startedAt / hour
  expect(parts.map(({ tagId, hour, samples }) => [tagId, hour - first, samples.times.length])).toEqual([
    [2, 0, 1],
    [2, 1, 1],
    [2, 3, 1],
    [9, 0, 1],
  ])
})

test('a row belongs to the generation in which it got its number, whenever its commit ends', () => {
  const tail = newTail()
  const [slow, quick] = [tail.begin(), tail.begin()]
  tail.end(quick)
  tail.freeze()
  const after = tail.begin()
  const generation = tail.oldestFrozen
  expect(generation).toMatchObject({ from: 0, to: 2, inHand: new Set([1]), unanswered: new Set([2]) })
  tail.fill(slow, (sink) => sink.add(1, 'float64', startedAt, startedAt, 192, false, 1, startedAt))
  tail.end(slow)
  expect(generation).toMatchObject({ inHand: new Set(), unanswered: new Set([2]) })
  expect(generation?.samples.count).toBe(1)
  expect(after).toMatchObject({ seq: 3, generation: { from: 2 } })
})

test('texts count for the memory that they take', () => {
  const tail = newTail()
  fill(tail, 1, [[0, 'x'.repeat(1_000)]])
  expect(tail.size).toBeGreaterThan(60)
})
