import { Scene } from '@busbar/contract/push'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPushBench, settle } from '../../../test-support/push-bench.ts'

let bench: ReturnType<typeof openPushBench>
beforeEach(() => (bench = openPushBench()))
afterEach(() => bench.close())

describe('a window too many', () => {
  const refuse = (reason = 'too many sockets') => bench.socket().breakLine(4429, reason)
  const connection = () => bench.client.state.get().connection

  it('polls the watched tags every 5 s instead of reconnecting', async () => {
    const got: unknown[] = []
    bench.client.watch(3, [31], (values) => got.push(...values.map(({ value }) => value)))
    await bench.connect()
    refuse()
    await settle()
    expect([connection(), bench.polled, got]).toEqual(['polling', ['3 [31]'], [1]])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([bench.sockets.length, bench.polled.length, got]).toEqual([1, 3, [1, 2, 3]])
  })

  it('tries a socket again each minute, and asks for everything else then', async () => {
    await bench.connect()
    refuse()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([bench.sockets.length, bench.missed]).toEqual([2, 0])
    bench.socket().open()
    expect(connection()).toBe('polling')
    refuse()
    expect([connection(), bench.missed]).toEqual(['polling', 1])
    await vi.advanceTimersByTimeAsync(59_999)
    expect(bench.sockets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(bench.sockets).toHaveLength(3)
  })

  it('is live again with the first message on a socket, and stops polling', async () => {
    bench.client.watch(3, undefined, () => {})
    await bench.connect()
    refuse()
    await vi.advanceTimersByTimeAsync(60_000)
    bench.socket().open()
    expect(bench.socket().sent).toEqual(['watch 3 []', 'heartbeat'])
    bench.socket().push(Scene.NONE)
    expect([connection(), bench.missed]).toEqual(['live', 1])
    const asked = bench.polled.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect([bench.polled.length, bench.sockets.length]).toEqual([asked, 2])
  })

  it('gets the result of a write that is awaited', async () => {
    const heard: unknown[] = []
    bench.client.on('writeResult', ({ commandId, state }) => {
      heard.push([commandId, state])
      end()
    })
    await bench.connect()
    refuse()
    const end = bench.client.followWrite(3, 11)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([])
    bench.isWritten = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(heard).toEqual([[11, 'confirmed']])
  })

  it('is not live after a round without an answer, until a round succeeds', async () => {
    bench.client.watch(3, undefined, () => {})
    await bench.connect()
    refuse()
    await settle()
    const heardAt = Date.now()
    bench.pollsFail = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.client.state.get()).toEqual({ connection: 'lost', latencyMs: null, heardAt })
    bench.pollsFail = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.client.state.get()).toEqual({ connection: 'polling', latencyMs: null, heardAt: null })
  })

  it('keeps polling if a try brings no socket, and polls immediately after an outage of the platform', async () => {
    bench.client.watch(3, undefined, () => {})
    await bench.connect()
    refuse()
    bench.ticketsFail = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connection()).toBe('polling')
    bench.pollsFail = true
    await vi.advanceTimersByTimeAsync(6_000)
    expect(connection()).toBe('lost')
    bench.ticketsFail = bench.pollsFail = false
    bench.client.reconnectNow()
    await settle()
    refuse()
    await settle()
    expect(connection()).toBe('polling')
  })

  it('asks for nothing any more after it stopped', async () => {
    bench.client.watch(3, undefined, () => {})
    await bench.connect()
    refuse()
    await settle()
    bench.client.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([bench.polled.length, bench.sockets.length]).toEqual([1, 1])
  })

  it.each(['too many watches', 'too many messages'])(
    'is another thing than %s, after which it reconnects as after any loss',
    async (reason) => {
      bench.client.watch(3, undefined, () => {})
      await bench.connect()
      refuse(reason)
      expect(connection()).toBe('lost')
      await vi.advanceTimersByTimeAsync(5_000)
      expect([bench.sockets.length, bench.polled]).toEqual([2, []])
    },
  )
})
