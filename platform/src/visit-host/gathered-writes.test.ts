import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { GatheredWrites } from './gathered-writes.ts'

/** Bytes of each write that left, several where they left together. */
function target(): { stream: Writable; left: number[][] } {
  const left: number[][] = []
  const stream = new Writable({
    highWaterMark: 64 * 1024,
    write(chunk, _encoding, done) {
      left.push([chunk.length])
      done()
    },
    writev(chunks, done) {
      left.push(chunks.map(({ chunk }) => chunk.length))
      done()
    },
  })
  return { stream, left }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the writes of one turn leave together, before the next turn', async () => {
  const { stream, left } = target()
  const gathered = new GatheredWrites(stream)
  for (let round = 0; round < 2; round++) {
    for (const bytes of [100, 200]) {
      gathered.add(bytes)
      stream.write(Buffer.alloc(bytes))
    }
    expect(left).toHaveLength(round)
    await turn()
  }
  expect(left).toEqual([
    [100, 200],
    [100, 200],
  ])
})

test('much leaves at once, and its source is never paused for it', () => {
  const { stream, left } = target()
  const gathered = new GatheredWrites(stream)
  for (let piece = 0; piece < 12; piece++) {
    gathered.add(16_384)
    expect(stream.write(Buffer.alloc(16_384))).toBe(true)
  }
  expect(left.flat()).toHaveLength(9)
})

test('an end lets all go at once', async () => {
  const { stream, left } = target()
  const gathered = new GatheredWrites(stream)
  gathered.add(10)
  stream.end(Buffer.alloc(10))
  expect(left).toEqual([[10]])
  await turn()
  expect(stream.writableFinished).toBe(true)
})
