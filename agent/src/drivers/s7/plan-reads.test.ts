import { expect, test } from 'vitest'
import type { S7Area } from './address.ts'
import type { ReadItem, ReadSpan } from './plan-reads.ts'
import { joinItems, planReads, requestItemsMax, spanBytesMax } from './plan-reads.ts'

const limits = { pduBytes: 240, gapBytesMax: 16 }

function item(index: number, area: S7Area, db: number, start: number, count: number): ReadItem {
  return { index, area, db, start, count }
}

const shapes = (spans: readonly ReadSpan[]) =>
  spans.map(({ area, db, start, count }) => `${area}${db}:${start}+${count}`)

test('neighbouring tags become one item, in any order, also across a small gap', () => {
  const items = [
    item(0, 'DB', 1, 8, 4),
    item(1, 'DB', 1, 0, 2),
    item(2, 'DB', 1, 2, 2),
    item(3, 'DB', 1, 28, 4),
  ]
  expect(shapes(joinItems(items, limits))).toEqual(['DB1:0+32'])
  expect(shapes(joinItems([item(0, 'M', 0, 0, 1), item(1, 'M', 0, 18, 1)], limits))).toEqual([
    'M0:0+1',
    'M0:18+1',
  ])
  expect(shapes(joinItems([item(0, 'T', 0, 0, 2), item(1, 'T', 0, 4, 2)], limits))).toEqual([
    'T0:0+2',
    'T0:4+2',
  ])
})

test('areas and data blocks are never mixed', () => {
  const items = [item(0, 'DB', 1, 0, 2), item(1, 'DB', 2, 2, 2), item(2, 'M', 0, 4, 2)]
  expect(joinItems(items, limits)).toHaveLength(3)
})

test('a text that is longer than a request can read is cut, and other values never are', () => {
  expect(spanBytesMax(limits)).toBe(222)
  expect(shapes(joinItems([item(0, 'DB', 1, 0, 256)], limits))).toEqual(['DB1:0+222', 'DB1:222+34'])
  expect(shapes(joinItems([item(0, 'DB', 1, 0, 220), item(1, 'DB', 1, 220, 4)], limits))).toEqual([
    'DB1:0+220',
    'DB1:220+4',
  ])
})

test('2,000 neighbours of four bytes take 37 requests of 240 bytes, or 9 of 960', () => {
  const items = Array.from({ length: 2_000 }, (_, index) => item(index, 'DB', 1, index * 4, 4))
  expect(planReads(items, limits)).toHaveLength(37)
  expect(planReads(items, { ...limits, pduBytes: 960 })).toHaveLength(9)
})

test('every request keeps the limits of the protocol, and every tag is read once', () => {
  const items = Array.from({ length: 600 }, (_, index) =>
    item(
      index,
      index % 3 === 0 ? 'M' : 'DB',
      index % 3 === 0 ? 0 : 1 + (index % 5),
      (index * 7_919) % 60_000,
      1 + (index % 9),
    ),
  )
  for (const pduBytes of [240, 480, 960]) {
    const requests = planReads(items, { pduBytes, gapBytesMax: 16 })
    for (const spans of requests) {
      expect(spans.length).toBeLessThanOrEqual(requestItemsMax)
      expect(12 + 12 * spans.length).toBeLessThanOrEqual(pduBytes)
      const answerBytes = spans.reduce((sum, { count }) => sum + 4 + count + (count % 2), 14)
      expect(answerBytes).toBeLessThanOrEqual(pduBytes)
      for (const span of spans)
        for (const { area, db, start, count } of span.items) {
          expect([area, db]).toEqual([span.area, span.db])
          expect(start >= span.start && start + count <= span.start + span.count).toBe(true)
        }
    }
    const read = requests.flat().flatMap((span) => span.items.map(({ index }) => index))
    expect(read.sort((left, right) => left - right)).toEqual(items.map(({ index }) => index))
  }
})
