import { ApiError } from '@busbar/contract'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient, refetchSpread } from './query-client.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const busy = new ApiError({ http: 429, hwcode: 429, code: '429', message: 'busy', data: { retryIn: 7 } })

it('the first reload of a page behind a busy address showed that it failed, in place of waiting', async () => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const ask = vi.fn().mockRejectedValueOnce(busy).mockResolvedValue('rows')
  const asked = queryClient.fetchQuery({ queryKey: ['busy'], queryFn: ask })
  await vi.advanceTimersByTimeAsync(7_499)
  expect(ask).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await asked).toBe('rows')
})

it('an address that stays busy is told at last', async () => {
  vi.useFakeTimers()
  const ask = vi.fn().mockRejectedValue(busy)
  const asked = expect(queryClient.fetchQuery({ queryKey: ['busier'], queryFn: ask })).rejects.toBe(busy)
  await vi.advanceTimersByTimeAsync(60_000)
  await asked
  expect(ask).toHaveBeenCalledTimes(5)
})

it('pages that return together ask again at different moments, each once', () => {
  vi.useFakeTimers()
  const invalidate = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  refetchSpread()
  refetchSpread()
  vi.advanceTimersByTime(2_499)
  expect(invalidate).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(invalidate).toHaveBeenCalledTimes(1)
})
