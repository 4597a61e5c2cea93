import { timing } from '@busbar/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hideNotice, notices, showNotice } from './notice-store.ts'

const texts = () => notices.get().map(({ text }) => text)

describe('notices', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  it('go by themselves after 3 s', () => {
    showNotice('saved')
    vi.advanceTimersByTime(timing.noticeMs - 1)
    expect(texts()).toEqual(['saved'])
    vi.advanceTimersByTime(1)
    expect(texts()).toEqual([])
  })

  it('are not repeated while they are shown, only shown for longer', () => {
    showNotice('lost', 'failure')
    vi.advanceTimersByTime(2_000)
    showNotice('lost', 'failure')
    vi.advanceTimersByTime(2_000)
    expect(texts()).toEqual(['lost'])
    vi.advanceTimersByTime(1_000)
    expect(texts()).toEqual([])
  })

  it('make room for newer ones', () => {
    for (const text of ['a', 'b', 'c', 'd']) showNotice(text)
    expect(texts()).toEqual(['b', 'c', 'd'])
  })

  it('can be dismissed', () => {
    showNotice('a')
    hideNotice(notices.get()[0]?.key ?? 0)
    expect(texts()).toEqual([])
  })
})
