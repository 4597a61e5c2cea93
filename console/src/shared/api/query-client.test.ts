import { afterEach, expect, it, vi } from 'vitest'
import { queryClient, refetchSpread } from './query-client.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
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
