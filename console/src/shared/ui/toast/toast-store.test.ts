import { timing } from '@busbar/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hideToast, hideUndo, holdToasts, releaseToasts, showToast, toasts } from './toast-store.ts'

const texts = () => toasts.get().map(({ text }) => text)

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    releaseToasts()
  })
  afterEach(() => {
    vi.runAllTimers()
    vi.useRealTimers()
  })

  it('ended before the first page was drawn', async () => {
    vi.resetModules()
    const fresh = await import('./toast-store.ts')
    fresh.showToast('no such page')
    vi.advanceTimersByTime(20_000)
    expect(fresh.toasts.get()).toHaveLength(1)
    fresh.releaseToasts()
    vi.advanceTimersByTime(timing.noticeMs)
    expect(fresh.toasts.get()).toHaveLength(0)
  })

  it('disappear after 3 s', () => {
    showToast('saved')
    vi.advanceTimersByTime(timing.noticeMs - 1)
    expect(texts()).toEqual(['saved'])
    vi.advanceTimersByTime(1)
    expect(texts()).toEqual([])
  })

  it('are not repeated while they are shown, only shown for longer', () => {
    showToast('lost', 'failure')
    vi.advanceTimersByTime(2_000)
    showToast('lost', 'failure')
    vi.advanceTimersByTime(2_000)
    expect(texts()).toEqual(['lost'])
    vi.advanceTimersByTime(1_000)
    expect(texts()).toEqual([])
  })

  it('make room for newer ones', () => {
    for (const text of ['a', 'b', 'c', 'd']) showToast(text)
    expect(texts()).toEqual(['b', 'c', 'd'])
  })

  it('can be dismissed', () => {
    hideToast(showToast('a'))
    expect(texts()).toEqual([])
  })

  it('stay for 8 s where they can be taken back, and one at a time', () => {
    showToast('removed Ann', 'done', () => {})
    showToast('removed Bob', 'done', () => {})
    vi.advanceTimersByTime(7_999)
    expect(texts()).toEqual(['removed Bob'])
    vi.advanceTimersByTime(1)
    expect(texts()).toEqual([])
  })

  it('stay for 8 s where they lead on, and beside one that can be taken back', () => {
    showToast('removed Ann', 'done', () => {})
    showToast('made a board', 'done', { label: 'Open', run: () => {} })
    vi.advanceTimersByTime(7_999)
    expect(texts()).toEqual(['removed Ann', 'made a board'])
    vi.advanceTimersByTime(1)
    expect(texts()).toEqual([])
  })

  it('stay while the pointer is on them, also those that come in the meantime', () => {
    showToast('removed', 'done', () => {})
    holdToasts()
    showToast('saved')
    vi.advanceTimersByTime(60_000)
    expect(texts()).toEqual(['removed', 'saved'])
    releaseToasts()
    vi.advanceTimersByTime(timing.noticeMs)
    expect(texts()).toEqual(['removed'])
  })

  it('offer no undo after their page was left', () => {
    showToast('saved')
    showToast('removed', 'done', () => {})
    hideUndo()
    expect(texts()).toEqual(['saved'])
  })
})
