import { accounts } from '@busbar/contract'
import { createMachine, createUser, PushClient, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BusEvents } from '../kernel/bus/bus.ts'
import { gatherMs, joinSpans, MachineUpdates } from './machine-updates.ts'

type Span = BusEvents['late']

describe('changes of the past', () => {
  afterEach(() => void vi.useRealTimers())

  test('are published at once, then gathered into one span every two seconds for each machine', () => {
    vi.useFakeTimers()
    const told: number[][] = []
    const changes = new MachineUpdates<Span>(
      ({ machineId, from, to }) => told.push([machineId, from, to]) > 0,
      joinSpans,
    )
    changes.add({ machineId: 1, from: 10, to: 20 })
    changes.add({ machineId: 2, from: 5, to: 6 })
    expect(told.splice(0)).toEqual([
      [1, 10, 20],
      [2, 5, 6],
    ])
    changes.add({ machineId: 1, from: 40, to: 50 })
    changes.add({ machineId: 1, from: 30, to: 35 })
    vi.advanceTimersByTime(gatherMs - 1)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told.splice(0)).toEqual([[1, 30, 50]])
    vi.advanceTimersByTime(10 * gatherMs)
    expect(told).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('are published again until everybody has got them', () => {
    vi.useFakeTimers()
    let isReady = false
    const told: number[] = []
    const changes = new MachineUpdates<Span>(({ from }) => {
      told.push(from)
      return isReady
    }, joinSpans)
    changes.add({ machineId: 1, from: 10, to: 20 })
    isReady = true
    vi.advanceTimersByTime(5 * gatherMs)
    expect(told).toEqual([10, 10])
    changes.close()
  })
})

describe('a page', () => {
  let site: TestPlatform
  beforeAll(async () => {
    site = await startTestPlatform()
  })
  afterAll(() => site.stop())

  async function openPage(user: { token: string }): Promise<PushClient> {
    const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
    return PushClient.open(site.url, ticket)
  }

  test('gets a backlog of the machine it watches; one that only has it in its list does not', async () => {
    const [owner, ordinary] = [await createUser(site.db), await createUser(site.db)]
    const machine = await createMachine(site.db, { owner: owner.userId })
    await site.db
      .insertInto('machine_list_entries')
      .values({ user_id: ordinary.userId, machine_id: machine.machineId, name: 'Press' })
      .execute()
    const [page, other] = [await openPage(owner), await openPage(ordinary)]
    const { machineId } = machine
    const { telemetry } = site.platform
    const base = { kind: 'sample' as const, group: '', tag: 't', type: 'float64' as const, quality: 192 }
    await telemetry.append(machineId, [{ ...base, value: 1, time: undefined, late: false }])
    for (const client of [page, other]) client.watch(machineId)
    await page.find((event) => (event.scene === 'values' ? event : undefined))
    const from = Date.now() - 3_600_000
    await telemetry.append(machineId, [
      { ...base, value: 2, time: from, late: true },
      { ...base, value: 3, time: from + 1_000, late: true },
    ])
    const change = await page.find((event) => (event.scene === 'history' ? event.change : undefined))
    expect(change).toMatchObject({
      machineId: String(machineId),
      from: String(from),
      to: String(from + 1_000),
    })
    other.heartbeat()
    await other.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    expect(other.events.filter(({ scene }) => scene === 'history')).toEqual([])
    for (const client of [page, other]) client.close()
    await vi.waitUntil(() => site.platform.hub.stats().watches === 0)
  })

  test('gets nothing while its right is being checked', async () => {
    const stranger = await createUser(site.db)
    const { machineId } = await createMachine(site.db, { owner: (await createUser(site.db)).userId })
    const page = await openPage(stranger)
    const { hub, bus } = site.platform
    page.watch(machineId)
    while (hub.stats().watches === 0) await new Promise((resolve) => setImmediate(resolve))
    bus.publish('late', { machineId, from: 1, to: 2 })
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    expect(page.events.filter(({ scene }) => scene === 'history')).toEqual([])
    page.close()
  })
})
