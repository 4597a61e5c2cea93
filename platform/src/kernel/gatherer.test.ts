import { expect, test } from 'vitest'
import { Gatherer } from './gatherer.ts'

test('requests made while work runs are done together after it', async () => {
  const works: (readonly number[])[] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gatherer = new Gatherer<number, number>(async (inputs) => {
    works.push(inputs)
    await gates[works.length - 1]?.promise
    return inputs.map((input) => input * 2)
  }, 2)
  const first = gatherer.do(1)
  await Promise.resolve()
  const rest = [2, 3, 4].map((input) => gatherer.do(input))
  gates[0]?.resolve()
  expect(await first).toBe(2)
  gates[1]?.resolve()
  expect(await Promise.all(rest)).toEqual([4, 6, 8])
  expect(works).toEqual([[1], [2, 3], [4]])
})

test('work that fails for several is repeated for each, and fails for one alone', async () => {
  const gatherer = new Gatherer<number, number>(async (inputs) => {
    if (inputs.includes(2)) throw new Error('not two')
    return inputs
  }, 10)
  const all = await Promise.allSettled([1, 2, 3].map((input) => gatherer.do(input)))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
