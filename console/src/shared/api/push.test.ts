import { create, Scene, toBinary, UserLogoutSchema } from '@busbar/contract/push'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { machineState, openPushBench, settle } from '../../../test-support/push-bench.ts'
import * as wire from './push-wire.ts'

let bench: ReturnType<typeof openPushBench>
beforeEach(() => (bench = openPushBench()))
afterEach(() => bench.close())

describe('the push connection of a tab', () => {
  it('opens with a ticket and says that it is alive every 15 s', async () => {
    const line = await bench.connect()
    expect(line.ticket).toBe('ticket-1')
    expect(line.sent).toEqual(['heartbeat'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(line.sent).toEqual(['heartbeat', 'heartbeat', 'heartbeat'])
  })

  it('measures the way there and back by the answer to its heartbeat', async () => {
    const line = await bench.connect()
    expect(bench.client.state.get()).toEqual({ connection: 'live', latencyMs: null, heardAt: null })
    await vi.advanceTimersByTimeAsync(38)
    line.push(Scene.NONE)
    expect(bench.client.state.get()).toEqual({ connection: 'live', latencyMs: 38, heardAt: null })
  })

  it('comes back 5 s after a broken line, with a fresh ticket', async () => {
    ;(await bench.connect()).breakLine()
    expect(bench.client.state.get().connection).toBe('lost')
    await vi.advanceTimersByTimeAsync(4_999)
    expect(bench.sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(bench.sockets).toHaveLength(2)
    expect(bench.socket().ticket).toBe('ticket-2')
  })

  it('adds jitter, so that many browsers do not come back in one second', async () => {
    bench.client = bench.createClient({ random: () => 0.5 })
    ;(await bench.connect()).breakLine()
    await vi.advanceTimersByTimeAsync(5_999)
    expect(bench.sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(bench.sockets).toHaveLength(2)
  })

  it('keeps trying while no ticket is available', async () => {
    bench.ticketsFail = true
    bench.client.start()
    await settle()
    expect(bench.client.state.get().connection).toBe('lost')
    bench.ticketsFail = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.sockets).toHaveLength(1)
  })

  it('takes no ticket while it could not use one', async () => {
    let tickets = 0
    let isThere = false
    bench.client = bench.createClient({
      createTicket: async () => `ticket-${++tickets}`,
      loadWire: async () => {
        if (!isThere) throw new TypeError('Failed to fetch dynamically imported module')
        return wire
      },
    })
    bench.client.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([tickets, bench.client.state.get().connection]).toEqual([0, 'lost'])
    isThere = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.socket().ticket).toBe('ticket-1')
  })

  it('resumes from the last event before it requests watched tags', async () => {
    bench.client.watch(3, [31], () => {})
    const first = await bench.connect()
    first.push(Scene.MACHINE_STATE, machineState('3', true), '41')
    first.push(Scene.MACHINE_STATE, machineState('3', false), '42')
    first.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    bench.socket().open()
    expect(bench.socket().sent).toEqual(['resume 42', 'watch 3 [31]', 'heartbeat'])
  })

  it('forgets the place to resume from at the end of a session', async () => {
    ;(await bench.connect()).push(Scene.MACHINE_STATE, machineState('3', true), '41')
    bench.client.stop()
    expect((await bench.connect()).sent).toEqual(['heartbeat'])
  })

  it('stays closed after it was stopped', async () => {
    const line = await bench.connect()
    bench.client.stop()
    expect(line.closed).toBe(true)
    line.breakLine()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bench.sockets).toHaveLength(1)
  })

  it('gives up a line on which heartbeats were answered and then nothing came for 45 s', async () => {
    const line = await bench.connect()
    line.push(Scene.NONE)
    await vi.advanceTimersByTimeAsync(45_000)
    expect(line.closed).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(line.closed).toBe(true)
    expect(bench.client.state.get().connection).toBe('lost')
  })

  it('marks values as old if a heartbeat stays unanswered for 5 s, and as live with the next message', async () => {
    const line = await bench.connect()
    line.push(Scene.NONE)
    const heardAt = Date.now()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(bench.client.state.get().connection).toBe('live')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(bench.client.state.get()).toEqual({ connection: 'lost', latencyMs: null, heardAt })
    expect([line.closed, bench.sockets.length]).toEqual([false, 1])
    line.push(Scene.NONE)
    expect(bench.client.state.get().connection).toBe('live')
  })

  it('tells an expired session from one that a person ended, and retries if only the ticket was refused', async () => {
    const heard: string[] = []
    bench.client.on('logout', ({ reason }) => heard.push(reason))
    ;(await bench.connect()).breakLine(4401, 'unauthorized')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([heard, bench.sockets.length]).toEqual([[], 2])
    bench.sockets.at(-1)?.breakLine(4401, 'ended')
    expect(heard).toEqual(['ranOut'])
  })

  it('ends with a session that was signed out in another tab, and does not come back', async () => {
    const heard: string[] = []
    const line = await bench.connect()
    bench.client.on('logout', ({ reason }) => heard.push(reason))
    line.breakLine(4401)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([heard, bench.sockets.length]).toEqual([['signedOut'], 1])
  })

  it('tells why the session ended after closing the line', async () => {
    const line = await bench.connect()
    const heard: unknown[] = []
    bench.client.on('logout', (event) => heard.push({ ...event, closed: line.closed }))
    const body = toBinary(
      UserLogoutSchema,
      create(UserLogoutSchema, { loginIp: '203.0.113.9', reason: 'elsewhere' }),
    )
    line.push(Scene.USER_LOGOUT, body, '50')
    expect(heard).toEqual([{ loginIp: '203.0.113.9', reason: 'elsewhere', closed: true }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bench.sockets).toHaveLength(1)
  })

  it('tells of machines that come and go', async () => {
    const line = await bench.connect()
    const heard: unknown[] = []
    const off = bench.client.on('machineState', ({ machineId, online, at }) =>
      heard.push([machineId, online, at]),
    )
    line.push(Scene.MACHINE_STATE, machineState('3', false), '1')
    off()
    line.push(Scene.MACHINE_STATE, machineState('3', true), '2')
    expect(heard).toEqual([[3, false, 7]])
  })

  it('ignores a scene it does not know yet, and keeps its id', async () => {
    const line = await bench.connect()
    line.push(99 as Scene, new Uint8Array([1, 2]), '60')
    line.breakLine()
    await vi.advanceTimersByTimeAsync(5_000)
    bench.socket().open()
    expect(bench.socket().sent[0]).toBe('resume 60')
  })
})
