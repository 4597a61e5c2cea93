import { expect, it } from 'vitest'
import { type History, playHistory, shrink } from './history.ts'

interface Counter {
  count: number
  expected: number
}

/** A counter that counts wrong once it was halved at more than 5. */
const counting: History<Counter, { readonly act: string; readonly by: number }> = {
  acts: {
    add: { weight: 3, draw: (_, random) => ({ act: 'add', by: 1 + random.below(4) }) },
    halve: { weight: 1, draw: ({ count }) => (count > 0 ? { act: 'halve', by: 2 } : undefined) },
    look: { weight: 2, draw: () => ({ act: 'look', by: 0 }) },
  },
  atOnceMax: 2,
  open: async () => ({ count: 0, expected: 0 }),
  fits: (step, others) => others.every(({ act }) => act === step.act),
  async play(world, { steps, note }) {
    for (const { act, by } of steps) {
      note(act)
      if (act === 'halve') {
        world.count = Math.floor(world.count / by) + (world.count > 5 ? 1 : 0)
        world.expected = Math.floor(world.expected / by)
      } else {
        world.count += by
        world.expected += by
      }
    }
    return world.count === world.expected ? [] : [`it is ${world.count}, not ${world.expected}`]
  },
}

it('the same seed plays the same history, and another one another', async () => {
  const play = (seed: number) => playHistory(counting, { seed, steps: 20 })
  expect(await play(1)).toEqual(await play(1))
  expect((await play(2)).outcomes).not.toEqual((await play(3)).outcomes)
})

it('a history that goes wrong is made shorter: without the acts that do not matter', async () => {
  const played = await playHistory(counting, { seed: 1, steps: 200 })
  expect(played.faults).toHaveLength(1)
  const short = await shrink(counting, { seed: 1, played })
  expect(short.acts).toEqual(['add', 'halve'])
  expect(short.played.faults).toHaveLength(1)
  expect(short.played.steps).toBeLessThanOrEqual(played.steps)
})

it('a history without a fault goes to its end, where it is checked once more', async () => {
  const sound = { ...counting, acts: { add: counting.acts.add as (typeof counting.acts)[string] } }
  const ended = { ...sound, end: async ({ count }: Counter) => [`ended at ${count}`] }
  const { steps, faults } = await playHistory(ended, { seed: 1, steps: 20 })
  expect([steps, faults]).toEqual([20, [expect.stringMatching(/^ended at \d+$/)]])
})
