import { expect, test } from 'vitest'
import { HashQueue } from './hash-queue.ts'

/** Work that ends on demand. */
function createWork() {
  const ends: (() => void)[] = []
  const order: string[] = []
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      order.push(name)
      ends.push(resolve)
    })
  return { work, order, ends }
}

const refused = { code: '429', data: { retryIn: 1 } }

test('strangers take half of the places: a known terminal finds one', async () => {
  const { work, ends, order } = createWork()
  const queue = new HashQueue({ runningMax: 100 })
  const running = Array.from({ length: 32 }, () => queue.run('stranger', work('stranger')))
  await expect(queue.run('stranger', work('one more'))).rejects.toMatchObject(refused)
  running.push(...Array.from({ length: 32 }, () => queue.run('known', work('known'))))
  await expect(queue.run('known', work('one more'))).rejects.toMatchObject(refused)
  expect(order).toHaveLength(64)
  for (const end of ends) end()
  await Promise.all(running)
  expect(await queue.run('stranger', async () => 'done')).toBe('done')
})

test('both lanes run in turn, in any order of arrival', async () => {
  const { work, order, ends } = createWork()
  const queue = new HashQueue({ runningMax: 1 })
  const all = [
    ...[1, 2, 3].map((n) => queue.run('stranger', work(`stranger ${n}`))),
    ...[1, 2].map((n) => queue.run('known', work(`known ${n}`))),
  ]
  for (let ended = 0; ended < all.length; ended++) {
    await expect.poll(() => ends.length, { interval: 1 }).toBe(ended + 1)
    ends[ended]?.()
  }
  await Promise.all(all)
  expect(order).toEqual(['stranger 1', 'known 1', 'stranger 2', 'known 2', 'stranger 3'])
})

test('work that fails gives its place back', async () => {
  const queue = new HashQueue({ runningMax: 1 })
  await expect(queue.run('known', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run('known', async () => 'done')).toBe('done')
})
