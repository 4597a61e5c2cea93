import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { spread } from './spread.ts'

it('one machine that could not be let go kept the rest at the node, or ended its process', async () => {
  const done: number[] = []
  const acts = spread([1, 2, 3, 4], 400, async (one) => {
    if (one === 1) throw new Error('broken at once')
    await sleep(60)
    if (one === 2) throw new Error('broken later')
    done.push(one)
  })
  await expect(acts).rejects.toThrow('broken at once')
  expect(done).toEqual([3, 4])
})
