import { expect, test } from 'vitest'
import { DueQueue } from './due-queue.ts'

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state
  }
}

test('a queue gives the items that are due in the order of their times, and no other', () => {
  const queue = new DueQueue<number>()
  const times = numbers(7)
  const waiting: number[] = []
  for (let round = 0; round < 500; round++) {
    const at = (times.next().value as number) % 1_000
    queue.add(at, at)
    waiting.push(at)
    if (round % 3 !== 0) continue
    const now = (times.next().value as number) % 1_000
    const due = waiting.filter((time) => time <= now).sort((a, b) => a - b)
    const taken: number[] = []
    for (let next = queue.take(now); next; next = queue.take(now)) taken.push(next.item)
    expect(taken).toEqual(due)
    for (const time of due) waiting.splice(waiting.indexOf(time), 1)
    expect(queue.size).toBe(waiting.length)
  }
})
