import { expect, test } from 'vitest'
import type { Sample } from '../tag.ts'
import { buildSample } from '../testing/builders.ts'
import { Outbox } from './outbox.ts'

const samples = (from: number, to: number): Sample[] =>
  Array.from({ length: to - from + 1 }, (_, index) => buildSample({ at: from + index }))

/** Takes and acknowledges everything: `live 1-3` or `late 1-3` for each batch. */
function drain(outbox: Outbox, batchMax = 100): string[] {
  const batches: string[] = []
  for (;;) {
    const batch = outbox.takeBatch(batchMax)
    if (batch === null) return batches
    batches.push(
      `${batch.isHistorical ? 'late' : 'live'} ${batch.samples[0]?.at}-${batch.samples.at(-1)?.at}`,
    )
    outbox.acknowledge(batch)
  }
}

test('live samples go before the backlog, each in order, in batches', () => {
  const outbox = new Outbox(1_000)
  outbox.add(samples(1, 5), true)
  outbox.add(samples(6, 7), false)
  expect(drain(outbox, 3)).toEqual(['live 6-7', 'late 1-3', 'late 4-5'])
  expect(outbox.length).toBe(0)
})

test('what was not acknowledged when the line broke comes again, late; what was acknowledged does not', () => {
  const outbox = new Outbox(1_000)
  outbox.add(samples(1, 6), false)
  const first = outbox.takeBatch(2)
  const second = outbox.takeBatch(2)
  expect(outbox.length).toBe(6)
  if (first === null || second === null) throw new Error('no batch')
  outbox.acknowledge(first)
  outbox.interrupt()
  // An acknowledgement of the broken line counts for nothing any more.
  outbox.acknowledge(second)
  expect(outbox.length).toBe(4)
  expect(drain(outbox)).toEqual(['late 3-6'])
})

test('when it is full the oldest go, and are counted', () => {
  const outbox = new Outbox(10)
  outbox.add(samples(1, 8), true)
  outbox.add(samples(9, 14), true)
  expect(outbox.length).toBe(10)
  expect(outbox.takeDroppedCount()).toBe(4)
  expect(outbox.takeDroppedCount()).toBe(0)
  outbox.add(samples(15, 17), false)
  expect(drain(outbox)).toEqual(['live 15-17', 'late 8-14'])
})

test('100,000 samples through a long line keep their order', () => {
  const outbox = new Outbox(100_000)
  let next = 0
  let expected = 0
  while (expected < 100_000) {
    if (next < 100_000) {
      outbox.add(samples(next, next + 499), true)
      next += 500
    }
    const batch = outbox.takeBatch(next < 100_000 ? 130 : 500)
    for (const sample of batch?.samples ?? []) {
      if (sample.at !== expected) throw new Error(`${sample.at} instead of ${expected}`)
      expected++
    }
    if (batch !== null) outbox.acknowledge(batch)
  }
  expect(outbox.length).toBe(0)
})
