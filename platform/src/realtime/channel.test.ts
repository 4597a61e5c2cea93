import { describe, expect, test, vi } from 'vitest'
import type { TagValueEvent } from '../kernel/bus/bus.ts'
import { Channel, channelKey, gatherMs, type Receiver } from './channel.ts'
import { frameFrom } from './shared-frame.ts'

const value = (tagId: number, number: number): TagValueEvent => ({
  tagId,
  value: number,
  quality: 'good',
  time: number,
  receivedAt: number,
})

const receiverOf = (deliver: (frame: Uint8Array) => unknown): Receiver => ({
  deliver: (_, { payload }) => void deliver(payload),
  deliverUpdate: () => true,
})

function setUp(tagIds?: number[]) {
  vi.useFakeTimers()
  const frames: TagValueEvent[][] = []
  const channel = new Channel({
    machineId: 1,
    tagIds: tagIds && new Set(tagIds),
    encode: (_, values) => frameFrom(Buffer.from(JSON.stringify(values)), 0),
  })
  const receiver = receiverOf((frame) => frames.push(JSON.parse(Buffer.from(frame).toString())))
  channel.receivers.add(receiver)
  return { channel, frames, receiver }
}

describe('a channel', () => {
  test('sends the first value after a quiet time at once, then gathers the newest of each tag', () => {
    const { channel, frames } = setUp()
    channel.push([value(1, 10)])
    expect(frames).toEqual([[value(1, 10)]])
    channel.push([value(1, 11), value(2, 20)])
    channel.push([value(1, 12)])
    expect(frames).toHaveLength(1)
    vi.advanceTimersByTime(gatherMs)
    expect(frames[1]).toEqual([value(1, 12), value(2, 20)])
    vi.advanceTimersByTime(10 * gatherMs)
    expect(frames).toHaveLength(2)
    vi.useRealTimers()
  })

  test('leaves out unwanted tags', () => {
    const { channel, frames } = setUp([2])
    channel.push([value(1, 10)])
    expect(frames).toEqual([])
    channel.push([value(1, 10), value(2, 20)])
    expect(frames).toEqual([[value(2, 20)]])
    vi.useRealTimers()
  })

  test('is the same for the same tags in another order', () => {
    expect(channelKey(7, [3, 1, 3])).toBe(channelKey(7, [1, 3]))
    expect(channelKey(7, [])).not.toBe(channelKey(7, [7]))
  })
})
