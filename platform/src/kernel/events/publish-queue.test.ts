import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../logger.ts'
import { PublishQueue } from './publish-queue.ts'

/** The turns of a queue, each with the milliseconds it began after the end of the one before. */
async function turnsOf(count: number, tookMs: number) {
  const turns: { ids: number; restMs: number }[] = []
  let endedAt = performance.now()
  const queue = new PublishQueue({
    logger: silentLogger,
    async publish(ids) {
      turns.push({ ids: ids.length, restMs: performance.now() - endedAt })
      const until = performance.now() + tookMs
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve))
      endedAt = performance.now()
    },
  })
  onTestFinished(() => queue.stop())
  for (let id = 0; id < count; id++) queue.enqueue(id)
  await expect
    .poll(() => turns.reduce((sum, { ids }) => sum + ids, 0), { interval: 5, timeout: 10_000 })
    .toBe(count)
  return turns
}

it('states of thousands leave three quarters of the time to the values', async () => {
  const turns = await turnsOf(700, 150)
  // The first one has one state, the second one many.
  expect(turns.map(({ ids }) => ids)).toEqual([1, 500, 199])
  // The clock of timers may be some milliseconds behind.
  expect(turns[2]?.restMs).toBeGreaterThan(450 - 5)
})

it('states of few are published one turn after the other, without a rest', async () => {
  const tookMs = 300
  const turns = await turnsOf(10, tookMs)
  // A rest would be three times as long as the turn before.
  for (const { restMs } of turns) expect(restMs).toBeLessThan(3 * tookMs - 5)
})
