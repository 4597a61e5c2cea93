import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  getReach,
  isReachable,
  noteCall,
  noteReachable,
  noteUnreachable,
  onReturn,
  slowMs,
} from './reachability.ts'

describe('a platform that cannot be reached', () => {
  let answers: boolean
  let asked: number

  beforeEach(() => {
    vi.useFakeTimers()
    answers = false
    asked = 0
    vi.stubGlobal('fetch', async () => {
      asked++
      if (!answers) throw new TypeError('network')
      return new Response('{}')
    })
  })

  afterEach(() => {
    noteReachable()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is checked until it answers, and its return is reported once', async () => {
    let returns = 0
    const off = onReturn(() => returns++)
    noteUnreachable()
    expect(isReachable()).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toBeGreaterThanOrEqual(2)
    expect([isReachable(), returns]).toEqual([false, 0])
    answers = true
    await vi.advanceTimersByTimeAsync(4_000)
    expect([isReachable(), returns]).toEqual([true, 1])
    const before = asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, returns]).toEqual([before, 1])
    off()
  })

  it('is not asked any more once another call got an answer', async () => {
    noteUnreachable()
    noteReachable()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(0)
  })

  it('is slow while an answer is long in coming, and not after it came', async () => {
    const noteEnd = noteCall()
    await vi.advanceTimersByTimeAsync(slowMs - 1)
    expect(getReach()).toBe('good')
    await vi.advanceTimersByTimeAsync(1)
    expect(getReach()).toBe('slow')
    noteEnd()
    expect(getReach()).toBe('good')
    noteCall()()
    await vi.advanceTimersByTimeAsync(slowMs)
    expect(getReach()).toBe('good')
  })
})
