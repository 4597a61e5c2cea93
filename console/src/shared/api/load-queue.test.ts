import { ApiError } from '@busbar/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoadQueue } from './load-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const busy = (retryIn: number) =>
  new ApiError({ http: 429, hwcode: 429, code: '429', message: 'busy', data: { retryIn } })

test('ten heavy calls of one page run two at a time', async () => {
  const queue = new LoadQueue()
  let running = 0
  let most = 0
  const call = async () => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 100))
    running--
  }
  const calls = Promise.all(Array.from({ length: 10 }, () => queue.run(call)))
  await vi.runAllTimersAsync()
  await calls
  expect(most).toBe(2)
})

test('a call without a place on the platform is asked again when it says, and fails at the fifth try', async () => {
  const queue = new LoadQueue()
  let tries = 0
  const placed = queue.run(async () => {
    if (++tries < 3) throw busy(2)
    return 'answer'
  })
  await vi.advanceTimersByTimeAsync(3_900)
  expect(tries).toBe(2)
  await vi.advanceTimersByTimeAsync(200)
  expect(await placed).toBe('answer')

  let failed = 0
  const refused = expect(
    queue.run(async () => {
      failed++
      throw busy(1)
    }),
  ).rejects.toMatchObject({ code: '429' })
  await vi.runAllTimersAsync()
  await refused
  expect(failed).toBe(5)
})

test('a call that is given up while it waits leaves its place', async () => {
  const queue = new LoadQueue()
  const end = Promise.withResolvers<void>()
  const running = [queue.run(() => end.promise), queue.run(() => end.promise)]
  const controller = new AbortController()
  const waiting = expect(queue.run(async () => 'never', controller.signal)).rejects.toThrow('gone')
  controller.abort(new Error('gone'))
  await waiting
  end.resolve()
  await Promise.all(running)
  expect(await queue.run(async () => 'next')).toBe('next')
})
