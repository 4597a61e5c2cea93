import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../shared/api/emitter.ts'
import type { MachineStateEvent, PushMessages } from '../../shared/api/push-messages.ts'
import { applyStateEvents, followLists } from './list-sync.ts'
import type { Machine } from './machine.ts'

const machine = (id: number, change: Partial<Machine> = {}) =>
  ({
    id,
    name: `M${id}`,
    online: true,
    cloudService: true,
    level: 3,
    role: 'akey',
    readOnly: false,
    openAlarms: 0,
    worstAlarm: null,
    lastSeen: 500,
    ...change,
  }) as Machine

const event = (machineId: number, change: Partial<MachineStateEvent> = {}): MachineStateEvent => ({
  machineId,
  online: true,
  cloudService: true,
  at: 1000,
  openAlarms: 0,
  worstAlarm: '',
  limitAuthority: 3,
  role: 'akey',
  readOnly: false,
  ...change,
})

const events = (...list: MachineStateEvent[]) => new Map(list.map((each) => [each.machineId, each]))

describe('the list and pushed events', () => {
  it('changes only the machines that changed', () => {
    const list = [machine(1), machine(2)]
    const applied = applyStateEvents(list, events(event(1, { online: false })))
    expect(applied.list[0]).toMatchObject({ online: false, lastSeen: 1000 })
    expect(applied.list[1]).toBe(list[1])
  })

  it('stays the same object when nothing is new', () => {
    const list = [machine(1)]
    expect(applyStateEvents(list, events(event(1))).list).toBe(list)
  })

  it('takes over alarms with their worst level', () => {
    const { list } = applyStateEvents([machine(1)], events(event(1, { openAlarms: 2, worstAlarm: 'major' })))
    expect(list[0]).toMatchObject({ openAlarms: 2, worstAlarm: 'major' })
  })

  it('shows an ordinary user no alarms', () => {
    const { list } = applyStateEvents(
      [machine(1, { level: 0 })],
      events(event(1, { online: false, openAlarms: 2, worstAlarm: 'major', limitAuthority: 0 })),
    )
    expect(list[0]).toMatchObject({ online: false, openAlarms: 0, worstAlarm: null })
  })

  it('is reloaded if a machine is missing in it, or the right to one has changed', () => {
    expect(applyStateEvents([machine(1)], events(event(1))).stale).toBe(false)
    expect(applyStateEvents([machine(1)], events(event(2))).stale).toBe(true)
    const others = [
      { limitAuthority: 0 },
      { role: 'blacklisted' },
      { readOnly: true },
      { cloudService: false },
    ]
    for (const other of others)
      expect(applyStateEvents([machine(1)], events(event(1, other))).stale, JSON.stringify(other)).toBe(true)
  })
})

describe('gathering', () => {
  let push: Emitter<PushMessages>
  beforeEach(() => {
    push = new Emitter()
    vi.useFakeTimers()
  })
  afterEach(() => void vi.useRealTimers())

  it('writes the cache once for a burst', () => {
    const client = new QueryClient()
    const key = ['machines', 'list', 'cn']
    client.setQueryData(key, { version: 'a', list: [machine(1), machine(2)] })
    let writes = 0
    client.getQueryCache().subscribe((change) => {
      if (change.type === 'updated' && change.action.type === 'success') writes++
    })
    followLists(client, push)
    push.emit('machineState', event(1, { online: false }))
    push.emit('machineState', event(2, { online: false }))
    push.emit('machineState', event(2, { online: true }))
    expect(writes).toBe(0)
    vi.runAllTimers()
    expect(writes).toBe(1)
    const { list } = client.getQueryData<{ list: Machine[] }>(key) ?? { list: [] }
    expect(list.map((each) => each.online)).toEqual([false, true])
  })

  it('changes an enterprise’s list, and asks for it again only where a right changed', () => {
    const client = new QueryClient()
    const key = ['enterprise', 5, 'devices', 1, 'en']
    client.setQueryData(key, { version: 'a', list: [machine(1)] })
    followLists(client, push)
    push.emit('machineState', event(1, { online: false }))
    push.emit('machineState', event(9, { online: false }))
    vi.runAllTimers()
    expect(client.getQueryData<{ list: Machine[] }>(key)?.list[0]?.online).toBe(false)
    expect(client.getQueryState(key)?.isInvalidated).toBe(false)
    push.emit('machineState', event(1, { readOnly: true }))
    vi.runAllTimers()
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('reloads the open details if the list is newer and knows the right already', () => {
    const client = new QueryClient()
    client.setQueryData(['machines', 'list', 'cn'], {
      version: 'a',
      list: [machine(1, { level: 1 })],
    })
    const detail = ['machines', 1, 'detail', 'cn']
    client.setQueryData(detail, { online: true })
    followLists(client, push)
    push.emit('machineState', event(1, { limitAuthority: 1 }))
    vi.runAllTimers()
    expect(client.getQueryState(detail)?.isInvalidated).toBe(true)
  })

  it('moves a machine in every list and asks again where its open pane says that it is', () => {
    const client = new QueryClient()
    const keys = [
      ['machines', 'list', 'cn'],
      ['enterprise', 5, 'devices', 1, 'en'],
    ]
    const list = [machine(1, { lat: 31, lng: 121 }), machine(2, { lat: 31, lng: 121 })]
    for (const key of keys) client.setQueryData(key, { version: 'a', list })
    const place = ['machines', 1, 'place', 'now', 'cn']
    client.setQueryData(place, {})
    const leave = followLists(client, push)
    const at = { machineId: 1, accuracy: 8, source: 'gps', placedAt: 1000 } as const
    const there = { lat: 31.2, lng: 121.2 }
    push.emit('place', { ...at, lat: 31.1, lng: 121.1 })
    push.emit('place', { ...at, ...there })
    push.emit('place', { ...at, machineId: 9, lat: 31.2, lng: 121.2 })
    vi.runAllTimers()
    const listOf = (key: unknown[]) => client.getQueryData<{ list: Machine[] }>(key)?.list ?? []
    for (const key of keys) {
      expect(listOf(key)[0]).toMatchObject({
        accuracy: 8,
        source: 'gps',
        placedAt: 1000,
        ...there,
        online: true,
      })
      expect(listOf(key)[1]).toBe(list[1])
      expect(client.getQueryState(key)?.isInvalidated).toBe(false)
    }
    expect(client.getQueryState(place)?.isInvalidated).toBe(true)
    const before = listOf(['machines', 'list', 'cn'])
    push.emit('place', { ...at, lat: 31.2, lng: 121.2 })
    vi.runAllTimers()
    expect(listOf(['machines', 'list', 'cn'])).toBe(before)
    leave()
    push.emit('place', { ...at, lat: 0, lng: 0 })
    vi.runAllTimers()
    expect(listOf(['machines', 'list', 'cn'])).toBe(before)
  })
})
