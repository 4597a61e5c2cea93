import { describe, expect, it } from 'vitest'
import type { LiveValue } from '../../shared/api/live-value.ts'
import { LiveValues } from './live-values.ts'

const value = (change: Partial<LiveValue> = {}): LiveValue => ({
  tagId: 1,
  value: 1,
  quality: 'good',
  time: 1000,
  receivedAt: 1000,
  ...change,
})

describe('live values', () => {
  it('move forward only', () => {
    const store = new LiveValues()
    store.put([value({ time: 2000, value: 2 })])
    store.put([value({ time: 1000, value: 9 })])
    expect(store.get(1)?.value).toBe(2)
  })

  it('become stale at their own time', () => {
    const store = new LiveValues()
    store.put([value()])
    store.put([value({ quality: 'stale' })])
    expect(store.get(1)?.quality).toBe('stale')
  })

  it('are fresh again by a value that was taken before their device went and came after', () => {
    const store = new LiveValues()
    store.put([value()])
    store.put([value({ quality: 'stale', time: 3000 })])
    store.put([value({ time: 2900, receivedAt: 3500 })])
    expect(store.get(1)).toMatchObject({ quality: 'good', time: 2900 })
  })

  it('inform only listeners of that tag, and only of changes', () => {
    const store = new LiveValues()
    let told = 0
    const leave = store.subscribe(1, () => told++)
    store.put([value(), value({ tagId: 2 })])
    store.put([value()])
    expect(told).toBe(1)
    leave()
    store.put([value({ time: 5000 })])
    expect(told).toBe(1)
  })
})
